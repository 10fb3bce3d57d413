import type { CredentialTypeSummary, CredentialTypeView, ListCredentialTypesQuery } from '@sluice/contract';
import { type JsonObject, NotFoundError } from '@sluice/domain';
import type { CredentialType, TestCredential } from '@sluice/node-sdk';
import { firstPage, mapPage, type Page } from '../paging/page.ts';
import { decodeCursor, encodeCursor } from '../paging/page-cursors.ts';

interface CredentialTypeServiceOptions {
  types: readonly CredentialType[];
  /** Finds a node type's test for a type that has no test; `undefined` if no node type has one. */
  testOf(type: string): TestCredential | undefined;
}

/** Describes the credential types of this installation: built-in types and package types. */
export class CredentialTypeService {
  readonly #types: readonly CredentialType[];
  readonly #testOf: CredentialTypeServiceOptions['testOf'];

  constructor({ types, testOf }: CredentialTypeServiceOptions) {
    this.#types = [...types].sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#testOf = testOf;
  }

  /** By name. */
  list({ cursor, limit }: ListCredentialTypesQuery): Page<CredentialTypeSummary> {
    const after = cursor === undefined ? '' : decodeCursor('credentialTypes', cursor).name;
    const rest = this.#types.filter(({ name }) => name > after);
    const page = firstPage(rest, limit, ({ name }) => encodeCursor('credentialTypes', { name }));
    return mapPage(page, (type) => this.#summaryOf(type));
  }

  /** Throws `NotFoundError`. */
  get(name: string): CredentialTypeView {
    const type = this.#types.find((candidate) => candidate.name === name);
    if (!type) throw new NotFoundError(`credential type ${JSON.stringify(name.slice(0, 64))} does not exist`);
    const { properties, schema } = type;
    return { ...this.#summaryOf(type), properties: properties as unknown as JsonObject[], schema };
  }

  #summaryOf(type: CredentialType): CredentialTypeSummary {
    const { name, displayName, documentation = null, consent, test } = type;
    return {
      name,
      displayName,
      documentationUrl: documentation,
      authentication: authenticationOf(type),
      connectsByOAuth2: consent !== undefined,
      testable: (test ?? this.#testOf(name)) !== undefined,
    };
  }
}

function authenticationOf({
  authenticate,
  answerChallenge,
  renewal,
  consent,
}: CredentialType): CredentialTypeSummary['authentication'] {
  return [
    ...(authenticate ? (['request'] as const) : []),
    ...(answerChallenge ? (['challenge'] as const) : []),
    ...(authenticate && renewal ? (['token'] as const) : []),
    ...(consent ? (['consent'] as const) : []),
  ];
}
