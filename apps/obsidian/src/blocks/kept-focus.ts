/** A recreated card appears within this time. */
const keptFor = 1_000;

/** Where the keyboard was when a card with the focus was taken away, so that the one in its place gets it. */
export class KeptFocus {
  #kept: { readonly place: string; readonly until: number } | undefined;

  keep(place: string, now: number): void {
    this.#kept = { place, until: now + keptFor };
  }

  /** Whether the focus belongs to this place; it is given once. */
  take(place: string, now: number): boolean {
    const kept = this.#kept;
    if (kept === undefined || kept.place !== place) return false;
    this.#kept = undefined;
    return now <= kept.until;
  }
}
