import { expect, test } from 'vitest';
import { freeSubnet } from './engine-bridge.ts';

test('takes the first network that no route mentions', () => {
  const routes = `default via 192.168.1.1 dev eth0
10.213.0.0/24 dev errand-1a2b3c4d proto kernel scope link src 10.213.0.1
local 10.213.1.1 dev errand-5e6f7a8b table local`;
  expect(freeSubnet('')).toBe('10.213.0');
  expect(freeSubnet(routes)).toBe('10.213.2');
});

test('says what to do when every network is taken', () => {
  const routes = Array.from({ length: 256 }, (_, number) => `10.213.${number}.0/24 dev x`);
  expect(() => freeSubnet(routes.join('\n'))).toThrow('ip link delete');
});
