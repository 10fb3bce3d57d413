/** An invalid template: an expression is nested too deeply, or the expressions are too long. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
