import { pageOf, pageQuery } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import { jsonObject, nullable, oneOf, withExample } from './schema-helpers.ts';

const typeExample = {
  name: 'httpBasicAuth',
  displayName: 'Basic Auth',
  documentationUrl: 'https://www.rfc-editor.org/rfc/rfc7617',
  authentication: ['request'],
  connectsByOAuth2: false,
  testable: true,
};

/** The kinds of `authentication`. */
export const authenticationKinds = ['request', 'challenge', 'token', 'consent'] as const;

const summary = {
  name: Type.String({ description: 'identifier, as in `type` of credentials' }),
  displayName: Type.String({ description: 'display name' }),
  documentationUrl: nullable(Type.String({ description: 'documentation page about these credentials' })),
  authentication: Type.Array(oneOf(authenticationKinds), {
    description:
      '`request`: added to HTTP requests. `challenge`: responds to a server’s challenge. `token`: the service obtains and renews a token. `consent`: a user grants access in the browser. Empty: for nodes that connect by other protocols, or use the fields themselves',
  }),
  connectsByOAuth2: Type.Boolean({
    description: 'a credential of this type can be connected with `POST /credentials/{credentialId}/oauth2/authorize`',
  }),
  testable: Type.Boolean({ description: '`POST /credentials/test` can test credentials of this type' }),
};

export const credentialTypeSummary = withExample(Type.Object(summary, { title: 'CredentialTypeSummary' }), typeExample);
export type CredentialTypeSummary = Static<typeof credentialTypeSummary>;

export const credentialTypeView = withExample(
  Type.Object(
    {
      ...summary,
      properties: Type.Array(jsonObject, {
        description: 'the fields of `data`, in the form of node properties; secrets have `typeOptions.password`',
      }),
      schema: Type.Unsafe<Static<typeof jsonObject>>({ ...jsonObject, description: 'JSON Schema 2020-12 of `data`' }),
    },
    { title: 'CredentialType' },
  ),
  {
    ...typeExample,
    properties: [
      { displayName: 'User', name: 'user', type: 'string', default: '' },
      { displayName: 'Password', name: 'password', type: 'string', default: '', typeOptions: { password: true } },
    ],
    schema: { type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' } } },
  },
);
export type CredentialTypeView = Static<typeof credentialTypeView>;

export const credentialTypePage = pageOf(credentialTypeSummary);

export const listCredentialTypesQuery = Type.Object({ ...pageQuery });
export type ListCredentialTypesQuery = Static<typeof listCredentialTypesQuery>;
