import { expect, test } from 'vitest';
import { noteAddresses } from './note-addresses.ts';

const notes = ['Home.md', 'People/Ines.md', 'Projects/Garden.md', 'Projects/Ines.md'];
const { link, image } = noteAddresses('Projects/Garden.md', notes);
const wiki = (name: string) => `?wiki=${encodeURIComponent(name)}`;

test.each([
  [wiki('home'), '#/notes/Home.md'],
  [wiki('Ines'), '#/notes/Projects/Ines.md'],
  [wiki('People/Ines'), '#/notes/People/Ines.md'],
  [wiki('Home#Part one'), '#/notes/Home.md?heading=Part+one'],
  [wiki('Not there'), '#/notes/Not%20there.md'],
  ['#part', '#/notes/Projects/Garden.md?heading=part'],
  ['../Home.md', '#/notes/Home.md'],
  ['Ines.md#x', '#/notes/Projects/Ines.md?heading=x'],
  ['/Home.md', '#/notes/Home.md'],
  ['plan.pdf', '/api/file?path=Projects%2Fplan.pdf'],
  ['a%20b.pdf', '/api/file?path=Projects%2Fa%20b.pdf'],
  ['../../../etc/passwd', undefined],
  ['file:///etc/passwd', undefined],
  ['/api/servers/x/tools', '/api/file?path=api%2Fservers%2Fx%2Ftools'],
])('the link %s leads to %s', (address, target) => {
  expect(link(address)).toBe(target);
});

test.each([
  ['picture.png', '/api/file?path=Projects%2Fpicture.png'],
  [wiki('Attachments/p.png'), '/api/file?path=Attachments%2Fp.png'],
  ['../../p.png', undefined],
])('the picture %s is %s', (address, target) => {
  expect(image(address)).toBe(target);
});
