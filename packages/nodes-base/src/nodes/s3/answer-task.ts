/** A work thread's task: the answer of a service as JSON. */
export async function* task(text: string): AsyncGenerator<unknown> {
  if (text.trim() === '') return;
  const { Parser } = await import('xml2js');
  yield await new Parser({ explicitArray: false, ignoreAttrs: true }).parseStringPromise(text);
}
