import { credentialLimits, maxRatePerSecond } from '@sluice/domain';
import { type Static, Type } from './schema-builder.ts';
import {
  chosenId,
  concurrencyLimit,
  jsonObject,
  nameText,
  noOthers,
  nullable,
  storableText,
  timestamp,
  timestampOf,
  withExample,
} from './schema-helpers.ts';

/** Placeholder of a secret; sent back in `data`, it keeps the stored value of that field. */
const redactedData = Type.Unsafe<Static<typeof jsonObject>>({
  ...jsonObject,
  description: 'the fields of the type; secrets, and fields that the type does not define, are `***REDACTED***`',
});

/** Data in a request. `meaning`: description of the data. */
function dataOf(meaning = 'the fields of the type') {
  const { fields, bytesPerField, bytes, strings } = credentialLimits;
  const limits = `at most ${bytesPerField / 1024} KiB in a field, ${bytes / 1024} KiB in total, and ${strings} different strings`;
  return Type.Unsafe<Static<typeof jsonObject>>({
    ...jsonObject,
    maxProperties: fields,
    description: `${meaning}; ${limits}, including those in JSON`,
  });
}

const typeName = Type.String({
  ...storableText,
  minLength: 1,
  maxLength: 128,
  description: 'credential type identifier, for example `httpBasicAuth`',
});

const summary = {
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
};
/** Limits for executions whose workflow names the credential. */
const limits = {
  concurrency: nullable(concurrencyLimit),
  ratePerSecond: nullable(
    Type.Integer({
      minimum: 1,
      maximum: maxRatePerSecond,
      description: 'maximum number of its executions that start within a second; further ones wait',
    }),
  ),
};
const chosenLimits = {
  concurrency: Type.Optional(limits.concurrency),
  ratePerSecond: Type.Optional(limits.ratePerSecond),
};
const scopes = Type.Array(Type.String(), { description: 'the caller’s scopes for the credential' });

export const credentialView = withExample(
  Type.Object(
    {
      ...summary,
      projectId: Type.String({ description: 'the owner' }),
      isGlobal: Type.Boolean({ description: 'usable in every project' }),
      isManaged: Type.Boolean({ description: 'managed by an external system; cannot be updated' }),
      isResolvable: Type.Boolean(),
      ...limits,
      createdAt: timestamp,
      updatedAt: timestamp,
      scopes: Type.Optional(scopes),
      sharedWithIds: Type.Optional(
        Type.Array(Type.String(), {
          description: 'only if one credential is read by an admin of its project: the projects with which it is shared',
        }),
      ),
      data: Type.Optional(redactedData),
      isUnreadable: Type.Optional(
        Type.Boolean({ description: 'true instead of `data`: the configured master keys cannot decrypt it' }),
      ),
    },
    { title: 'Credential' },
  ),
  {
    id: '6bR2kYw9cNf4TzLm',
    name: 'Mail server',
    type: 'httpBasicAuth',
    projectId: 'KhXb0Dp6ZyVt8uQa',
    isGlobal: false,
    isManaged: false,
    isResolvable: false,
    concurrency: null,
    ratePerSecond: 5,
    createdAt: '2026-11-20T09:30:00.000Z',
    updatedAt: '2026-11-20T09:30:00.000Z',
    data: { user: 'ada', password: '***REDACTED***' },
  },
);
export type CredentialView = Static<typeof credentialView>;

export const credentialList = Type.Array(credentialView);

export const updatedCredential = Type.Object({ ...summary, updatedAt: timestamp, scopes }, { title: 'CredentialSummary' });
export type UpdatedCredential = Static<typeof updatedCredential>;

export const deletedCredential = Type.Literal(true);

const included = {
  includeScopes: Type.Boolean({ default: false, description: 'includes the caller’s scopes for each credential' }),
  includeData: Type.Boolean({ default: false, description: 'includes the data' }),
};

export const getCredentialQuery = Type.Object(included);
export type GetCredentialQuery = Static<typeof getCredentialQuery>;

const filterText = (description: string, example: string) =>
  Type.Optional(Type.String({ ...storableText, description, examples: [example] }));

export const listCredentialsQuery = Type.Object({
  ...included,
  includeData: Type.Boolean({
    default: false,
    description: 'includes the data; 400 if it is larger than 32 MiB: a list has no pages',
  }),
  onlySharedWithMe: Type.Boolean({ default: false, description: 'omits credentials that the caller’s own projects own' }),
  includeGlobal: Type.Boolean({ default: true, description: '`false` omits global credentials' }),
  filter: Type.Optional(
    Type.String({
      ...storableText,
      maxLength: 4096,
      description: 'a JSON object with any of `name` (part of it, in any case), `type` and `projectId`',
      examples: ['{"type":"httpBasicAuth"}'],
    }),
  ),
  'filter[name]': filterText('part of the name, in any case', 'mail'),
  'filter[type]': filterText('only credentials of this type', 'httpBasicAuth'),
  'filter[projectId]': filterText('only credentials that this project owns', 'KhXb0Dp6ZyVt8uQa'),
});
export type ListCredentialsQuery = Static<typeof listCredentialsQuery>;

/** Schema of the JSON text in `filter`. */
export const credentialFilter = Type.Object(
  {
    name: Type.Optional(storableText),
    type: Type.Optional(storableText),
    projectId: Type.Optional(storableText),
  },
  noOthers,
);

export const createCredentialBody = withExample(
  Type.Object({
    name: nameText,
    type: typeName,
    data: dataOf(),
    projectId: Type.Optional(storableText),
    isGlobal: Type.Boolean({ default: false }),
    isResolvable: Type.Boolean({ default: false }),
    ...chosenLimits,
  }),
  { name: 'Mail server', type: 'httpBasicAuth', data: { user: 'ada', password: 'secret' } },
);
export type CreateCredentialBody = Static<typeof createCredentialBody>;

export const updateCredentialBody = withExample(
  Type.Object({
    name: Type.Optional(nameText),
    data: Type.Optional(dataOf('complete; `***REDACTED***` keeps a stored value')),
    isGlobal: Type.Optional(Type.Boolean()),
    ...chosenLimits,
  }),
  { data: { user: 'ada', password: '***REDACTED***' } },
);
export type UpdateCredentialBody = Static<typeof updateCredentialBody>;

export const deleteCredentialQuery = Type.Object({
  ifUnused: Type.Boolean({ default: false, description: '409 while a workflow names the credential' }),
});

export const testCredentialBody = withExample(
  Type.Object({
    credentials: Type.Object({
      id: Type.String({ ...storableText, maxLength: 64, description: 'ID of the stored credential; empty: not stored yet' }),
      type: typeName,
      data: Type.Optional(dataOf('values to test in place of the stored ones')),
    }),
  }),
  { credentials: { id: '6bR2kYw9cNf4TzLm', type: 'httpBasicAuth', data: { user: 'ada', password: 'secret' } } },
);
export type TestCredentialBody = Static<typeof testCredentialBody>;

export const credentialTestResult = Type.Object(
  { status: Type.Unsafe<'success' | 'error'>({ type: 'string', enum: ['success', 'error'] }), message: Type.String() },
  { title: 'CredentialTestResult' },
);
export type CredentialTestView = Static<typeof credentialTestResult>;

export const shareCredentialBody = Type.Object({
  shareWithIds: Type.Array(storableText, {
    maxItems: 1000,
    description: 'ids of the projects that may read and use it; replaces the previous ones',
  }),
});

export const transferCredentialBody = Type.Object({
  destinationProjectId: Type.String({ ...storableText, minLength: 1 }),
});

export const startedConsent = withExample(
  Type.Object(
    {
      authorizationUrl: Type.String({
        description:
          'a page to open in the user’s browser: it names the requester, binds the authorization to this browser, and redirects to the service',
      }),
      expiresAt: timestampOf('when the authorization expires'),
    },
    { title: 'StartedConsent' },
  ),
  {
    authorizationUrl: 'https://accounts.example.com/authorize?response_type=code&client_id=sluice&state=GZ1uvUjB',
    expiresAt: '2026-11-20T09:30:00.000Z',
  },
);
export type StartedConsent = Static<typeof startedConsent>;

export const newCredentialNameQuery = Type.Object({
  name: Type.String({
    ...nameText,
    default: 'My credentials',
    description: 'the name to start with; a number is added if it is taken',
  }),
});
export const newCredentialName = Type.Object({ name: Type.String() });

/** JSON Schema 2020-12 of the `data` of one type. */
export const credentialTypeSchema = jsonObject;

/** The managed credentials that the command line imports. */
export const importedCredentials = Type.Array(
  Type.Object({
    id: Type.Optional(chosenId),
    name: nameText,
    type: typeName,
    data: jsonObject,
    projectId: Type.Optional(storableText),
  }),
);
