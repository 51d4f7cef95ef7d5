const minute = 60_000;
const hour = 60 * minute;

/** Waits after the first failures; then hourly. */
const firstWaits = [minute, 5 * minute, 15 * minute];

/** For so long a draft is tried; then a person has to look. */
const giveUpAfter = 24 * hour;

/**
 * When a draft is tried again after its so many failed attempts, in milliseconds since 1970; nothing when it was tried
 * for a day. A service that says how long to wait is waited for.
 */
export function nextTry(
  attempts: number,
  {
    now,
    since,
    waitMs = 0,
  }: { readonly now: number; readonly since: number; readonly waitMs?: number },
): number | undefined {
  if (now - since >= giveUpAfter) return undefined;
  return now + Math.max(firstWaits[attempts - 1] ?? hour, waitMs);
}

/** How long the mailbox is left alone after so many rounds that failed: 60, 120, 240 s … 15 minutes. */
export function roundBackoff(failures: number, waitMs = 0): number {
  return Math.max(Math.min(minute * 2 ** (failures - 1), 15 * minute), waitMs);
}

/** Pauses before a model is asked again that did not answer. */
export const modelRetries = [2_000, 4_000, 8_000];
