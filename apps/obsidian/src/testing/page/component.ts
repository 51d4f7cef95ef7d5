import type { EventRef } from './events.ts';

/** A component with a life cycle: its registrations are undone when it is unloaded. */
export class Component {
  readonly #children = new Set<Component>();
  #undo: (() => void)[] = [];
  isLoaded = false;

  onload(): unknown {
    return undefined;
  }

  onunload(): void {}

  load(): unknown {
    this.isLoaded = true;
    const loading = this.onload();
    for (const child of this.#children) child.load();
    return loading;
  }

  unload(): void {
    if (!this.isLoaded) return;
    this.isLoaded = false;
    for (const child of this.#children) child.unload();
    for (const undo of this.#undo.splice(0)) undo();
    this.onunload();
  }

  addChild<Child extends Component>(child: Child): Child {
    this.#children.add(child);
    if (this.isLoaded) child.load();
    return child;
  }

  removeChild<Child extends Component>(child: Child): Child {
    if (this.#children.delete(child)) child.unload();
    return child;
  }

  register(undo: () => void): void {
    this.#undo.push(undo);
  }

  registerEvent(ref: EventRef): void {
    this.register(() => ref.events.offref(ref));
  }

  registerDomEvent(target: EventTarget, name: string, listener: EventListener): void {
    target.addEventListener(name, listener);
    this.register(() => target.removeEventListener(name, listener));
  }
}

/** What a code block's processor adds; it is unloaded when its element leaves the page. */
export class MarkdownRenderChild extends Component {
  readonly containerEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    super();
    this.containerEl = containerEl;
  }
}
