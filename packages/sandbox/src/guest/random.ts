/**
 * Seeds `Math.random`: the engine's own state is part of the snapshot, so each call would get the
 * same numbers. The generator is sfc32 (Chris Doty-Humphrey, PractRand): small, fast, and not
 * cryptographically secure.
 */
export function seedRandom([a = 0, b = 0, c = 0, counter = 1]: readonly number[]): void {
  let [x, y, z, n] = [a | 0, b | 0, c | 0, counter | 0];
  const next = () => {
    const sum = (((x + y) | 0) + n) | 0;
    n = (n + 1) | 0;
    x = y ^ (y >>> 9);
    y = (z + (z << 3)) | 0;
    z = (((z << 21) | (z >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) next();
  Math.random = () => (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53;
}
