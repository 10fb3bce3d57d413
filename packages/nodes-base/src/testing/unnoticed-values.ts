import {
  checkParameters,
  type JsonObject,
  type JsonValue,
  type NodeProperty,
  type NodePropertyGroup,
  type NodeType,
  nodeTypeOfVersion,
} from '@sluice/node-sdk';

/** Invalid values for each parameter type; types that accept any value are omitted. */
const wrongValues: Partial<Record<NodeProperty['type'], JsonValue[]>> = {
  string: [{ a: 1 }],
  dateTime: [{ a: 1 }, true],
  number: ['many', ['x']],
  boolean: ['perhaps', ['x']],
  options: ['no such choice', ['x']],
  multiOptions: ['no such choice', ['no such choice']],
  collection: ['x', 5, { noSuchMember: 1 }],
  fixedCollection: ['x', 5, null, { noSuchGroup: [{}] }],
  filter: [5, null, { options: { typeValidation: 'banana' } }, { conditions: null }],
  assignmentCollection: [5, null, { assignments: [{ name: 'a', type: 'bogus' }] }],
};

interface Place {
  path: string;
  property: NodeProperty;
  /** A node's parameters with `value` in this place. */
  parametersWith(value: JsonValue): JsonObject;
}

/**
 * All parameters of a description, including those in collections. Parameters that depend on others
 * are omitted.
 */
function placesOf(properties: readonly NodeProperty[], version: number): Place[] {
  const isAlways = ({ displayOptions: { show = {}, hide = {} } = {} }: NodeProperty) =>
    Object.keys({ ...show, ...hide }).every((name) => name === '@version') &&
    (show['@version'] ?? [version]).includes(version) &&
    !(hide['@version'] ?? []).includes(version);
  const places = (list: readonly NodeProperty[], prefix: string, wrap: (value: JsonObject) => JsonObject): Place[] =>
    list.filter(isAlways).flatMap((property) => {
      const { name, type, options = [] } = property;
      const path = `${prefix}${name}`;
      const at = (value: JsonValue) => wrap({ [name]: value });
      const inner = type === 'collection' ? places(options as NodeProperty[], `${path}.`, at) : [];
      const groups = type === 'fixedCollection' ? (options as NodePropertyGroup[]) : [];
      const entries = groups.flatMap(({ name: group, values }) =>
        places(values, `${path}.${group}.`, (entry) => at({ [group]: [entry] })),
      );
      return [{ path, property, parametersWith: at }, ...inner, ...entries];
    });
  return places(properties, '', (value) => value);
}

const isLoaded = ({ typeOptions = {} }: NodeProperty) => 'loadOptionsMethod' in typeOptions || 'loadOptions' in typeOptions;

const rootOf = (path: string) => path.split('.', 1)[0];

/** Parameters of a version with a value of the wrong type that the check does not report. */
export function unnoticedValues(type: NodeType, version: number): string[] {
  const ofVersion = nodeTypeOfVersion(type, version);
  // Unsupported features have their own error.
  const unsupported = new Set((ofVersion.unsupported ?? []).map(({ parameter }) => parameter));
  const places = placesOf(ofVersion.description.properties, version);
  const count = (path: string) => places.filter((place) => place.path === path).length;
  return places
    .filter(({ path, property }) => count(path) === 1 && !unsupported.has(path) && !isLoaded(property))
    .flatMap(({ path, property, parametersWith }) =>
      (wrongValues[property.type] ?? [])
        .filter(
          (value) =>
            !checkParameters(ofVersion, parametersWith(value), version).some((one) => rootOf(one.path) === rootOf(path)),
        )
        .map((value) => `${path} ${JSON.stringify(value)}`),
    );
}
