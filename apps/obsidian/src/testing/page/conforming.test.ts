import { expect, expectTypeOf, test } from 'vitest';
import { Component, MarkdownRenderChild } from './component.ts';
import { conforming, type conformingApp } from './conforming.ts';
import { TFile, type Vault } from './vault.ts';

const api = { Component, MarkdownRenderChild, TFile };

type Accepts<Added extends object> = typeof api & Added extends infer Api extends object
  ? Api extends Parameters<typeof conforming<Api>>[0]
    ? true
    : false
  : never;

test('returns its argument', () => {
  expect(conforming(api)).toBe(api);
});

test('compiles only with what is published, and with its types', () => {
  interface Titled {
    setTitle(title: string): Titled;
  }
  expectTypeOf<Accepts<{ Modal: new () => Titled }>>().toEqualTypeOf<true>();
  interface Numbered {
    setTitle(title: number): Numbered;
  }
  expectTypeOf<Accepts<{ Modal: new () => Numbered }>>().toEqualTypeOf<false>();
  expectTypeOf<Accepts<{ Notice: new (text: number) => object }>>().toEqualTypeOf<false>();
  expectTypeOf<
    Accepts<{ setIcon: (el: HTMLElement, icon: string) => void }>
  >().toEqualTypeOf<true>();
  expectTypeOf<Accepts<{ setIcon: (icon: string) => void }>>().toEqualTypeOf<false>();
  expectTypeOf<Accepts<{ Own: new () => object }>>().toEqualTypeOf<false>();
});

test('compiles only with an app whose parts stand in for the published ones', () => {
  type App<Part> = Parameters<typeof conformingApp<{ readonly vault: Part }>>[0];
  expectTypeOf<{ readonly vault: Vault }>().toExtend<App<Vault>>();
  expectTypeOf<{ readonly vault: TFile }>().not.toExtend<App<TFile>>();
});
