import { expect, test } from 'vitest';
import { webAddress } from './web-address.ts';

test.each([
  'https://login.example/authorize?a=1&b=2',
  'https://xn--bcher-kva.example/',
  'http://127.0.0.1:8080/callback',
  'http://localhost/',
  'http://[::1]:9/',
])('%s may be opened', (text) => {
  expect(webAddress(text)?.href).toBe(text);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'smb://evil.example/share',
  'vscode://extension/install',
  'ms-msdt:/id',
  'mailto:a@b.example',
  'ftp://evil.example/',
  'http://evil.example/',
  'http://127.0.0.1.evil.example/',
  'http://localhost.evil.example/',
  'http://1270.0.0.1/',
  'https://login.example@evil.example/',
  'https://',
  '//evil.example',
  '/etc/passwd',
  '-a Calculator',
  '',
])('%s is not opened', (text) => {
  expect(webAddress(text)).toBeUndefined();
});
