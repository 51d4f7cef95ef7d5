/** A promise of the plugin's specification, and the tests that show it. */
export interface PluginRequirement {
  readonly promise: string;
  /** `path: name of the test`. Those in a browser go through the built plugin. */
  readonly tests: readonly string[];
  /** Why a part of it is shown one layer below the plugin; nothing when all of it goes through the plugin. */
  readonly below?: string;
}

export function shown(promise: string, ...tests: string[]): PluginRequirement {
  return { promise, tests };
}

export function below(promise: string, reason: string, ...tests: string[]): PluginRequirement {
  return { promise, below: reason, tests };
}
