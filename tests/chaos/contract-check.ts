import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface OpenApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, { schema?: object }> }> }>>;
}

/** Compares responses with the OpenAPI document, and error codes with docs/errors.md. */
export class ContractCheck {
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #validators = new Map<string, ValidateFunction | undefined>();
  readonly #statusOfCode = documentedCodes();

  constructor(document: object) {
    this.#document = document as OpenApiDocument;
    this.#ajv.addSchema(document, 'api');
  }

  /**
   * How a response of `/api/v1` differs from the document; `undefined` if it does not. `path` is a
   * path of the document: `/executions/{id}`.
   */
  problemOf(method: string, path: string, status: number, text: string): string | undefined {
    if (status >= 400) return this.errorProblemOf(status, text);
    const validate = this.#validator(method.toLowerCase(), path, status);
    if (validate === undefined) return `status ${status} is not documented`;
    try {
      if (validate(JSON.parse(text))) return undefined;
      return this.#ajv.errorsText(validate.errors);
    } catch {
      return `not JSON: ${text.slice(0, 200)}`;
    }
  }

  /** The same for an error response of any path. Injected faults must not cause internal errors. */
  errorProblemOf(status: number, text: string): string | undefined {
    try {
      const { code, message, requestId } = JSON.parse(text) as Record<string, unknown>;
      if (typeof message !== 'string' || typeof requestId !== 'string') return `not an error body: ${text.slice(0, 200)}`;
      if (code === 'INTERNAL_ERROR') return `INTERNAL_ERROR: ${message}`;
      if (this.#statusOfCode.get(String(code)) !== status) return `status ${status} with the code ${code}`;
      return undefined;
    } catch {
      return `not JSON: ${text.slice(0, 200)}`;
    }
  }

  #validator(method: string, path: string, status: number): ValidateFunction | undefined {
    const key = `${method} ${path} ${status}`;
    if (!this.#validators.has(key)) this.#validators.set(key, this.#compile(method, path, status));
    return this.#validators.get(key);
  }

  #compile(method: string, path: string, status: number): ValidateFunction | undefined {
    if (!this.#document.paths[path]?.[method]?.responses[status]?.content?.['application/json']) return undefined;
    const parts = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
    const pointer = parts
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/');
    return this.#ajv.compile({ $ref: `api#/${pointer}` });
  }
}

function documentedCodes(): Map<string, number> {
  const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  return new Map([...text.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \|/gm)].map(([, code = '', status]) => [code, Number(status)]));
}
