/**
 * Bytes by which search windows overlap. The first 256 characters of a secret count as the secret,
 * so a secret of any length is found in the window that contains its start.
 */
export const overlapBytes = 16 * 1024;
/** Bytes that are searched together: a search of each small chunk would repeat the overlap. */
const searchedBytes = 4 * overlapBytes;

/**
 * The bytes of a body, each passed on once it was searched together with the surrounding bytes. So
 * no part of a secret is passed on if `assertWindow` rejects.
 */
export async function* searchedBody(
  body: AsyncIterable<Uint8Array>,
  assertWindow: (bytes: Uint8Array) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < searchedBytes) continue;
    const bytes = Buffer.concat(waiting);
    await assertWindow(bytes);
    yield bytes.subarray(0, -overlapBytes);
    waiting = [bytes.subarray(-overlapBytes)];
    size = overlapBytes;
  }
  const rest = Buffer.concat(waiting);
  await assertWindow(rest);
  if (rest.length > 0) yield rest;
}
