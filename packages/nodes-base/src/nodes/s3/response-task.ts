/** A work thread's task: parses a service's XML response to JSON. */
export async function* task(text: string): AsyncGenerator<unknown> {
  if (text.trim() === '') return;
  const { Parser } = await import('xml2js');
  yield await new Parser({ explicitArray: false, ignoreAttrs: true }).parseStringPromise(text);
}
