/** The template with the values in place of their names in braces. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w{1,40})\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
}
