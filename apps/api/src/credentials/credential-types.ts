import { compileValidator, Type, type Validator } from '@sluice/contract';
import { allowedDomainsIssues, redactionRulesOf, sizeIssues } from '@sluice/credentials';
import { invalidRequest, isAppError, type JsonObject, type ValidationIssue } from '@sluice/domain';
import type { CredentialType } from '@sluice/node-sdk';
import type { RedactionRules } from '@sluice/vault';

/** The credential types of this installation. Compiles the validator of each type once. */
export class CredentialTypes {
  readonly #types: { find(name: string): CredentialType | undefined };
  readonly #validators = new Map<string, Validator<JsonObject>>();

  constructor(types: { find(name: string): CredentialType | undefined }) {
    this.#types = types;
  }

  find(name: string): CredentialType | undefined {
    return this.#types.find(name);
  }

  /** The type that a body names. @param path the place in the body. Throws `ValidationError`. */
  require(name: string, path: string): CredentialType {
    const type = this.#types.find(name);
    if (type) return type;
    throw invalidRequest(path, 'no credential type has this name');
  }

  rulesOf(name: string): RedactionRules {
    return redactionRulesOf(this.#types.find(name));
  }

  /** Problems in the data of a credential; their paths begin with `path`. */
  issuesOf(type: CredentialType, data: JsonObject, path: string): ValidationIssue[] {
    const tooLarge = sizeIssues(data);
    if (tooLarge.length > 0) return tooLarge.map((issue) => ({ ...issue, path: `${path}${issue.path}` }));
    try {
      this.#validatorOf(type)(data);
      const message = type.problemOf?.(data);
      if (message !== undefined) return [{ path, message }];
      return allowedDomainsIssues(data).map((issue) => ({ ...issue, path: `${path}${issue.path}` }));
    } catch (error) {
      if (!isAppError(error)) throw error;
      return (error.details as unknown as ValidationIssue[]).map((issue) => ({ ...issue, path: `${path}${issue.path}` }));
    }
  }

  #validatorOf({ name, schema }: CredentialType): Validator<JsonObject> {
    const validator = this.#validators.get(name) ?? compileValidator(Type.Unsafe<JsonObject>(withoutDefaults(schema)));
    this.#validators.set(name, validator);
    return validator;
  }
}

/** Removes defaults, which are meant for editors: the validator would fill them in. */
function withoutDefaults({ $schema: _, ...schema }: JsonObject): JsonObject {
  const { properties = {} } = schema as { properties?: Record<string, JsonObject> };
  const fields = Object.entries(properties).map(([name, { default: __, ...field }]) => [name, field]);
  return { ...schema, properties: Object.fromEntries(fields) };
}
