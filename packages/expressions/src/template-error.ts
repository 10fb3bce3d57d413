/** An invalid template: an expression in it is nested too deeply. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
