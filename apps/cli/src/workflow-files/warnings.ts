/** Gathers what was mended in a workflow, in words that name the place. */
export type Warn = (text: string) => void;

/** A user's name as it stands in a warning. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
