import { expect, test } from 'vitest';
import { catchFaults, faultNotice } from './catch-faults.ts';

const fault = new Error('a defect');

test('hands errors and rejections of a handler to the fault handler', async () => {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  catchFaults(() => {
    throw fault;
  }, onFault)();
  catchFaults(() => Promise.reject(fault), onFault)();
  await Promise.resolve();
  expect(faults).toEqual([fault, fault]);
});

test('passes its arguments on and says nothing when all goes well', () => {
  const taken: unknown[] = [];
  const take = catchFaults(
    (a: number, b: string) => taken.push(a, b),
    () => expect.unreachable(),
  );
  take(1, 'x');
  expect(taken).toEqual([1, 'x']);
});

test('does not throw when the fault handler throws as well', () => {
  const fail = () => {
    throw fault;
  };
  expect(catchFaults(fail, fail)).not.toThrow();
});

test('describes any thrown value, even one that cannot be converted to text', () => {
  const hostile = { toString: () => fault };
  expect(faultNotice('A timer failed', hostile, 'gmail')).toEqual({
    level: 'error',
    message: 'A timer failed. This is a defect of Errand; please report it.',
    detail: 'A value of type object was thrown.',
    server: 'gmail',
  });
});
