import { expect, test } from 'vitest';
import { mostQuestions, OpenQuestions } from './open-questions.ts';

const mebibyte = 1024 * 1024;

test('has room again for what was closed', () => {
  const questions = new OpenQuestions();
  for (let id = 0; id < mostQuestions; id += 1) expect(questions.open(id, 1)).toBeUndefined();
  expect(questions.open('one more', 1)).toBe('too many');
  questions.close(0);
  questions.close(0);
  expect(questions.open('one more', 1)).toBeUndefined();
  expect(questions.open('another', 1)).toBe('too many');
});

test('takes one request of any size, and others only while they are small together', () => {
  const questions = new OpenQuestions();
  expect(questions.open(1, 64 * mebibyte)).toBeUndefined();
  expect(questions.open(2, 1)).toBe('too many');
  questions.close(1);
  expect(questions.open(2, 1)).toBeUndefined();
  expect(questions.open(3, 64 * mebibyte)).toBe('too many');
});

test('does not take a second request with the id of an open one', () => {
  const questions = new OpenQuestions();
  questions.open(1, 1);
  expect(questions.open(1, 1)).toBe('repeated');
  expect(questions.open('1', 1)).toBeUndefined();
});
