import type { JsonValue } from '@sluice/domain';

/** The value as JSON keeps it; `undefined` if it is not JSON or contains itself. */
export function plainData(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}
