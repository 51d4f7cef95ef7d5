import type { Extension } from '@codemirror/state';
import type * as obsidian from 'obsidian';
import type { BlockContext } from './code-blocks.ts';
import type { Component } from './component.ts';
import type { Editor } from './editor.ts';
import type { EventRef } from './events.ts';
import type { MetadataCache } from './metadata-cache.ts';
import type { SecretStorage } from './secret-storage.ts';
import type {
  BaseComponent,
  ButtonComponent,
  DropdownComponent,
  ExtraButtonComponent,
  TextAreaComponent,
  TextComponent,
  ToggleComponent,
} from './settings/components.ts';
import type { FileSystemAdapter, TFile, Vault } from './vault.ts';
import type { Leaf, Workspace } from './workspace.ts';

/**
 * What plugins get of Obsidian, as it is given; it does not compile when a member has another type than
 * the published one. What is not published, plugins cannot use: their own types would not compile.
 */
export function conforming<Api extends object>(
  api: Api & Conforming<Api> & ConformingHidden<Api>,
): Api {
  return api;
}

/** The same for what plugins find in the app; its classes stand in the table `Hidden`. */
export function conformingApp<App extends object>(
  app: App & WrongMembers<App, obsidian.App, object>,
): App {
  return app;
}

/** What stands in for classes that are not handed out by their names. */
interface Hidden {
  readonly App: [obsidian.App, object];
  readonly BaseComponent: [obsidian.BaseComponent, BaseComponent];
  readonly ButtonComponent: [obsidian.ButtonComponent, ButtonComponent];
  readonly DataAdapter: [obsidian.DataAdapter, FileSystemAdapter];
  readonly DropdownComponent: [obsidian.DropdownComponent, DropdownComponent];
  readonly Editor: [obsidian.Editor, Editor];
  readonly EventRef: [obsidian.EventRef, EventRef];
  readonly ExtraButtonComponent: [obsidian.ExtraButtonComponent, ExtraButtonComponent];
  readonly MarkdownPostProcessorContext: [obsidian.MarkdownPostProcessorContext, BlockContext];
  readonly MetadataCache: [obsidian.MetadataCache, MetadataCache];
  readonly SecretStorage: [obsidian.SecretStorage, SecretStorage];
  readonly TAbstractFile: [obsidian.TAbstractFile, TFile];
  readonly TextAreaComponent: [obsidian.TextAreaComponent, TextAreaComponent];
  readonly TextComponent: [obsidian.TextComponent, TextComponent];
  readonly ToggleComponent: [obsidian.ToggleComponent, ToggleComponent];
  readonly Vault: [obsidian.Vault, Vault];
  readonly View: [obsidian.View, Component];
  readonly Workspace: [obsidian.Workspace, Workspace];
  readonly WorkspaceLeaf: [obsidian.WorkspaceLeaf, Leaf];
}

/** Members that take less, or give less, than the published ones: what is missing is found by a test, not here. */
interface Excused {
  readonly Editor: 'setCursor';
  readonly EditorSuggest: 'context' | 'getSuggestions';
  readonly MarkdownView: 'previewMode';
  readonly Plugin: 'addCommand' | 'registerCliHandler' | 'registerEditorSuggest' | 'registerView';
  readonly Workspace: 'activeLeaf' | 'getActiveViewOfType';
  readonly WorkspaceLeaf: 'isDeferred' | 'openFile' | 'setViewState' | 'view';
}

/** Only Obsidian makes these; how is its own affair. */
type MadeByObsidian = 'FileSystemAdapter' | 'MarkdownView' | 'Plugin' | 'TFile' | 'TFolder';

type Published = typeof obsidian;

type Conforming<Api> = {
  [Name in keyof Api]: Name extends keyof Published
    ? Given<Wrong<Api[Name], Published[Name], Api, Name>, Api[Name]>
    : { readonly isNotPublished: Name };
};

type ConformingHidden<Api> = {
  [Name in keyof Hidden as WrongOf<Name, Api> extends never ? never : Name]: WrongOf<Name, Api>;
};

type WrongOf<Name extends keyof Hidden, Api> = WrongClass<
  Hidden[Name][1],
  Hidden[Name][0],
  Api,
  Name
>;

/** The mismatches, or the given type when there is none. */
type Given<Found, Thing> = [Found] extends [never] ? Thing : Found;

type AnyClass = abstract new (...args: never) => unknown;

/** Constants are made of the editor's own types, or differ by platform. */
type Wrong<Mine, Theirs, Api, Name> = Mine extends AnyClass
  ? Theirs extends AnyClass
    ?
        | WrongClass<InstanceType<Mine>, InstanceType<Theirs>, Api, Name>
        | (Name extends MadeByObsidian ? never : WrongConstructor<Mine, Theirs, Api>)
    : { readonly isNoClass: Name }
  : Theirs extends AnyClass
    ? WrongClass<Mine, Theirs, Api, Name>
    : Mine extends (...args: never) => unknown
      ? Mine extends Stand<Theirs, Api>
        ? never
        : { readonly shouldBe: Stand<Theirs, Api> }
      : never;

type WrongClass<Mine, Theirs, Api, Name> =
  Omit<
    WrongMembers<Mine, Theirs, Api>,
    Name extends keyof Excused ? Excused[Name] : never
  > extends infer Found
    ? [keyof Found] extends [never]
      ? never
      : Found
    : never;

/** Members that have another type than the published ones, with the type they should have. */
type WrongMembers<Mine, Theirs, Api> = {
  [Key in keyof Mine & keyof Theirs as Mine[Key] extends Stand<Theirs[Key], Api>
    ? never
    : Key]: Stand<Theirs[Key], Api>;
};

type WrongConstructor<Mine extends AnyClass, Theirs extends AnyClass, Api> =
  Constructor<ConstructorParameters<Mine>> extends Constructor<
    StandAll<ConstructorParameters<Theirs>, Api>
  >
    ? never
    : { readonly isConstructedFrom: StandAll<ConstructorParameters<Theirs>, Api> };

type Constructor<Args extends readonly unknown[]> = (...args: Args) => void;

/** The stand-ins of those that are. */
type Handed<Api> = {
  [Name in keyof Api & keyof Published]: Api[Name] extends AnyClass
    ? Published[Name] extends AnyClass
      ? [InstanceType<Published[Name]>, InstanceType<Api[Name]>]
      : never
    : never;
}[keyof Api & keyof Published];

/** To the letter; an empty interface is not the same as one whose members are all optional. */
type IsSame<One, Other> =
  (<Any>() => Any extends One ? 1 : 2) extends <Any>() => Any extends Other ? 1 : 2 ? true : false;

type StandIn<Thing, Pair> = Pair extends [infer Theirs, infer Mine]
  ? IsSame<Thing, Theirs> extends true
    ? Mine
    : never
  : never;

/** A published type with every part of Obsidian replaced by what stands in for it. */
type Stand<Thing, Api> = 0 extends 1 & Thing
  ? Thing
  : Thing extends Extension
    ? Thing
    : Thing extends (...args: infer Args) => infer Result
      ? // What may give nothing may give anything: nobody looks at it.
        (...args: StandAll<Args, Api>) => [Nothing] extends [Result] ? unknown : Stand<Result, Api>
      : Thing extends readonly unknown[]
        ? StandAll<Thing, Api>
        : Thing extends Promise<infer Result>
          ? Promise<Stand<Result, Api>>
          : [StandIn<Thing, Hidden[keyof Hidden] | Handed<Api>>] extends [never]
            ? Thing
            : StandIn<Thing, Hidden[keyof Hidden] | Handed<Api>>;

type Nothing = ReturnType<() => void>;

type StandAll<Things extends readonly unknown[], Api> = {
  [Key in keyof Things]: Stand<Things[Key], Api>;
};
