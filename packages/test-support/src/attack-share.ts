/**
 * The attacks to run against the node type or operation at `index`: every sixth, and at least one,
 * so that each attack runs against a sixth of them. A sample is enough because all of them share
 * the code that reads the input. With `ATTACKS=all`, as in hosted CI, returns all attacks.
 */
export function attackShare<Attack>(attacks: readonly Attack[], index: number): Attack[] {
  const every = process.env['ATTACKS'] === 'all' ? 1 : Math.min(6, attacks.length);
  return attacks.filter((_, at) => (at + index) % every === 0);
}
