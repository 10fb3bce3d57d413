import { type Static, Type } from './schema-builder.ts';
import { dictionary, nullable, oneOf } from './schema-helpers.ts';

/** The kinds of node type methods, besides runs. */
export const nodeMethodKinds = ['loadOptions', 'listSearch', 'resourceMapping', 'actionHandler', 'credentialTest'] as const;
export type NodeMethodKind = (typeof nodeMethodKinds)[number];

export const callNodeMethodBody = Type.Object({
  typeVersion: Type.Optional(Type.Number({ description: 'default: the type’s version' })),
  parameters: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'the current parameters of the node; expressions can read the instance only',
    }),
  ),
  credentials: Type.Optional(
    dictionary(Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) }), {
      description: 'in the format of nodes: credential type → the credential, which the caller may use',
    }),
  ),
  filter: Type.Optional(Type.String({ maxLength: 1_000, description: 'for listSearch: filters the choices' })),
  paginationToken: Type.Optional(Type.String({ maxLength: 4_000, description: 'for listSearch: from the previous response' })),
  payload: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'for actionHandler' })),
});
export type CallNodeMethodBody = Static<typeof callNodeMethodBody>;

const option = Type.Object({
  name: Type.String(),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  description: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
});

const resourceField = Type.Object({
  id: Type.String(),
  displayName: Type.String(),
  type: Type.String(),
  required: Type.Optional(Type.Boolean()),
});

/** Kind → result of its methods. */
export const nodeMethodResults = {
  loadOptions: Type.Array(option),
  listSearch: Type.Object({ results: Type.Array(option), paginationToken: Type.Optional(Type.String()) }),
  resourceMapping: Type.Object({ fields: Type.Array(resourceField) }),
  actionHandler: Type.Unsafe<unknown>({}),
  credentialTest: Type.Object({ status: oneOf(['OK', 'Error']), message: Type.String() }),
};

export const nodeMethodReply = Type.Object({
  data: Type.Unsafe<unknown>({
    description:
      'loadOptions: choices with name and value; listSearch: `results` and `paginationToken`; resourceMapping: `fields`; credentialTest: `status` and `message`; actionHandler: any value',
  }),
});

/** A package of node types as this API process found it at startup. */
export const nodePackageView = Type.Object(
  {
    name: Type.String({ description: 'package name, or folder name if unknown' }),
    version: nullable(Type.String({ description: 'null: it was not loaded' })),
    status: oneOf(['loaded', 'failed']),
    nodeTypes: Type.Array(Type.String()),
    credentialTypes: Type.Array(Type.String()),
    skipped: Type.Array(Type.String(), { description: 'problems of skipped types, each with its file' }),
    reason: nullable(Type.String({ description: 'why it was not loaded' })),
  },
  { title: 'NodePackage' },
);
export const nodePackageList = Type.Object({ data: Type.Array(nodePackageView) });
export type NodePackageView = Static<typeof nodePackageView>;
