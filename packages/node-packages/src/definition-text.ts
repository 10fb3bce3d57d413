/**
 * The text of a credential type's export, with the source of its functions and methods: equal for
 * copies of a file in two packages.
 */
export function definitionText(exported: unknown): string {
  const methods = isObject(exported) ? methodsOf(exported) : [];
  const data = JSON.stringify(exported, (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
  return [data, ...methods].join('\n');
}

/** Sources of the methods of its class and the class's ancestors. */
function methodsOf(instance: object): string[] {
  const methods: string[] = [];
  for (let at = Object.getPrototypeOf(instance); at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (name !== 'constructor') methods.push(`${name}: ${String(value ?? get)}`);
  }
  return methods;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
