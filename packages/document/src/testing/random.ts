/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to `below`, without it. */
  below(below: number): number;
  /** One of the choices. */
  pick<Choice>(choices: readonly Choice[]): Choice;
  /** True once in that many times, on average. */
  oneIn(times: number): boolean;
}

export function random(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    pick: (choices) => choices[below(choices.length)] as (typeof choices)[number],
    oneIn: (times) => below(times) === 0,
  };
}
