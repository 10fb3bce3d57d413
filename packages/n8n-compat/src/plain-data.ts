import type { JsonValue } from '@sluice/domain';

/** What JSON keeps of a value; `undefined` where it is none, or holds itself. */
export function plainData(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}
