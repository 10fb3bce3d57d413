import type { JsonObject } from '@sluice/node-sdk';

/** A Merge case. Its parameters apply to a family of versions: 2 and 2.1, or 3 and later. */
export interface MergeCase {
  /** Unique in its family. */
  name: string;
  versions: readonly number[];
  parameters: JsonObject;
  inputs: readonly (readonly JsonObject[])[];
}

type Inputs = MergeCase['inputs'];

/** Pairs of inputs, by their special property. */
const pairs: Readonly<Record<string, Inputs>> = {
  basic: [
    [
      { id: 1, a: 'x', s: 1 },
      { id: 2, a: 'y' },
      { id: 3, a: 'z' },
    ],
    [
      { id: 3, b: 1, s: 2 },
      { id: 1, b: 2, s: 3 },
      { id: 9, b: 3 },
    ],
  ],
  duplicates: [
    [
      { id: 1, a: 1 },
      { id: 1, a: 2 },
      { id: 2, a: 3 },
    ],
    [
      { id: 1, b: 1 },
      { id: 2, b: 2 },
      { id: 1, b: 3 },
    ],
  ],
  kinds: [
    [{ id: 1 }, { id: '2' }, { id: null }, { id: true }, { id: 0 }, { id: '' }, { n: 1 }],
    [{ id: '1', b: 1 }, { id: 2, b: 2 }, { id: null, b: 3 }, { id: true, b: 4 }, { id: 0, b: 5 }, { id: '', b: 6 }, { b: 7 }],
  ],
  objects: [
    [
      { id: { x: 1, y: 2 }, a: 1 },
      { id: [1, 2], a: 2 },
    ],
    [
      { id: { x: 1, y: 2 }, b: 1 },
      { id: [1, 2], b: 2 },
      { id: { x: 1 }, b: 3 },
    ],
  ],
  nested: [
    [
      { id: 1, o: { x: 1, l: [1, 2], d: { p: 1 } } },
      { id: 2, o: { x: 2 } },
    ],
    [
      { id: 1, o: { y: 1, l: [3], d: { q: 2 } } },
      { id: 2, o: null },
    ],
  ],
  blanks: [
    [
      { id: 1, a: '', b: null, c: 0, d: 'x' },
      { id: 2, a: [], b: {} },
    ],
    [
      { id: 1, a: 'A', b: 'B', c: 5, d: '' },
      { id: 2, a: [1], b: null, d: null },
    ],
  ],
  emptyRight: [
    [
      { id: 1, a: 1 },
      { id: 2, a: 2 },
    ],
    [],
  ],
  emptyLeft: [
    [],
    [
      { id: 1, b: 1 },
      { id: 2, b: 2 },
    ],
  ],
  unequal: [
    [
      { id: 1, a: 1 },
      { id: 2, a: 2 },
      { id: 3, a: 3 },
    ],
    [{ id: 2, b: 1 }],
  ],
  missing: [[{ id: 1, a: 1 }], [{ ID: 1, b: 1 }]],
};

const dotted: Inputs = [
  [
    { 'k.id': 1, k: { id: 2 }, a: 1 },
    { k: { id: 3 }, a: 2 },
  ],
  [
    { 'k.id': 2, b: 1 },
    { k: { id: 3 }, b: 2 },
    { 'k.id': 1, b: 3 },
  ],
];

const threes: Readonly<Record<string, Inputs>> = {
  three: [[{ a: 1, k: 1 }, { a: 2 }], [{ b: 1, k: 2 }], [{ c: 1, k: 3 }, { c: 2 }, { c: 3 }]],
  gap: [[{ a: 1 }], [], [{ c: 1 }]],
  nested: [[{ o: { x: 1 }, e: '' }], [{ o: { y: 1 }, e: 'm' }], [{ o: { z: 1 }, e: null }]],
};

const clash = (resolveClash: string, mergeMode = 'deepMerge', overrideEmpty = false): JsonObject => ({
  clashHandling: { values: { resolveClash, ...(resolveClash !== 'addSuffix' && { mergeMode, overrideEmpty }) } },
});

/** Ways to prefer an input: deep or not, and whether empty values are overridden. */
function preferring(resolve: string): Record<string, JsonObject> {
  return {
    [resolve]: clash(resolve),
    [`${resolve} shallow`]: clash(resolve, 'shallowMerge'),
    [`${resolve} blank`]: clash(resolve, 'deepMerge', true),
    [`${resolve} shallow blank`]: clash(resolve, 'shallowMerge', true),
  };
}

interface Family {
  versions: readonly number[];
  /** The value that prefers the last input. */
  last: string;
  by(way: 'all' | 'fields' | 'position'): JsonObject;
  /** Fields to match: one name that both inputs have, or pairs. */
  match(...fields: [string, string][]): JsonObject;
  choices: Record<string, JsonObject>;
}

const values = (fields: [string, string][]) => ({ values: fields.map(([field1, field2]) => ({ field1, field2 })) });
const second: Family = {
  versions: [2, 2.1],
  last: 'preferInput2',
  by: (way) => ({
    mode: 'combine',
    combinationMode: { all: 'multiplex', fields: 'mergeByFields', position: 'mergeByPosition' }[way],
  }),
  match: (...fields) => ({ mergeByFields: values(fields) }),
  choices: { input1: { output: 'input1' }, input2: { output: 'input2' }, empty: { output: 'empty' } },
};
const third: Family = {
  versions: [3, 3.1, 3.2],
  last: 'preferLast',
  by: (way) => ({
    mode: 'combine',
    combineBy: { all: 'combineAll', fields: 'combineByFields', position: 'combineByPosition' }[way],
  }),
  match: (...fields) =>
    fields.length === 1 && fields[0]?.[0] === fields[0]?.[1]
      ? { fieldsToMatchString: fields[0]?.[0] ?? '' }
      : { advanced: true, mergeByFields: values(fields) },
  choices: {
    input1: { output: 'specifiedInput', useDataOfInput: 1 },
    input2: { output: 'specifiedInput', useDataOfInput: 2 },
    empty: { output: 'empty' },
  },
};

const merging: Readonly<Record<string, JsonObject>> = {
  'keepMatches both': { joinMode: 'keepMatches', outputDataFrom: 'both' },
  keepEverything: { joinMode: 'keepEverything' },
  enrichInput1: { joinMode: 'enrichInput1' },
  enrichInput2: { joinMode: 'enrichInput2' },
};
const joins: Readonly<Record<string, JsonObject>> = {
  ...merging,
  'keepMatches input1': { joinMode: 'keepMatches', outputDataFrom: 'input1' },
  'keepMatches input2': { joinMode: 'keepMatches', outputDataFrom: 'input2' },
  'keepNonMatches both': { joinMode: 'keepNonMatches', outputDataFrom: 'both' },
  'keepNonMatches input1': { joinMode: 'keepNonMatches', outputDataFrom: 'input1' },
  'keepNonMatches input2': { joinMode: 'keepNonMatches', outputDataFrom: 'input2' },
};

/** Inputs for which clash rules have an effect. */
const clashing = ['basic', 'nested', 'blanks', 'emptyRight', 'emptyLeft', 'unequal'];
/** Other ways to match, and inputs for which they have an effect. */
const matching: readonly { way: string; on: readonly string[]; fields: [string, string][]; options: JsonObject }[] = [
  { way: 'first match', on: ['basic', 'duplicates'], fields: [['id', 'id']], options: { multipleMatches: 'first' } },
  { way: 'fuzzy', on: ['kinds', 'blanks', 'missing'], fields: [['id', 'id']], options: { fuzzyCompare: true } },
  { way: 'id = b', on: ['basic', 'duplicates'], fields: [['id', 'b']], options: {} },
  {
    way: 'two fields',
    on: ['basic', 'duplicates', 'blanks'],
    fields: [
      ['id', 'id'],
      ['a', 'b'],
    ],
    options: {},
  },
];

/** Every mode of a version, with its options, for which the node must return the stored results. */
export function mergeGrid(): MergeCase[] {
  return [second, third].flatMap((family) => casesOf(family)).concat(withThreeInputs());
}

type Named = [name: string, parameters: JsonObject, inputs: Inputs];

function casesOf(family: Family): MergeCase[] {
  const all = [
    ...Object.entries(pairs).flatMap(([data, inputs]) => [
      ...wholeInputs(family, data, inputs),
      ...merged(family, data, inputs),
    ]),
    ...matching.flatMap(({ on, ...rule }) => on.flatMap((data) => matched(family, data, rule))),
    ...[false, true].flatMap((disableDotNotation) => withDots(family, disableDotNotation)),
  ];
  return all.map(([name, parameters, inputs]) => ({ name, versions: family.versions, parameters, inputs }));
}

function wholeInputs({ choices }: Family, data: string, inputs: Inputs): Named[] {
  const chosen = Object.entries(choices).map(([choice, output]): Named => {
    return [`choose ${choice} ${data}`, { mode: 'chooseBranch', ...output }, inputs];
  });
  return [[`append ${data}`, { mode: 'append' }, inputs], ...chosen];
}

/** Merged in every way, with the clash rules that matter for the inputs. */
function merged({ by, match, last }: Family, data: string, inputs: Inputs): Named[] {
  const clashes = { suffix: clash('addSuffix'), ...preferring('preferInput1'), ...preferring(last) };
  return Object.entries({ plain: {}, ...(clashing.includes(data) && clashes) }).flatMap(([way, options]): Named[] => [
    [`all ${data} ${way}`, { ...by('all'), options }, inputs],
    ...[false, true].map((includeUnpaired): Named => {
      return [
        `position ${data} ${way} ${includeUnpaired}`,
        { ...by('position'), options: { ...options, includeUnpaired } },
        inputs,
      ];
    }),
    ...Object.entries(way === 'plain' ? joins : merging).map(([name, join]): Named => {
      return [`${name} ${data} ${way}`, { ...by('fields'), ...match(['id', 'id']), ...join, options }, inputs];
    }),
  ]);
}

type Rule = Omit<(typeof matching)[number], 'on'>;

function matched({ by, match }: Family, data: string, { way, fields, options }: Rule): Named[] {
  return Object.entries(joins).map(([name, join]) => [
    `${name} ${data} ${way}`,
    { ...by('fields'), ...match(...fields), ...join, options },
    pairs[data] ?? [],
  ]);
}

function withDots({ by, match }: Family, disableDotNotation: boolean): Named[] {
  return Object.entries(joins).map(([name, join]) => [
    `${name} dotted ${disableDotNotation}`,
    { ...by('fields'), ...match(['k.id', 'k.id']), ...join, options: { disableDotNotation } },
    dotted,
  ]);
}

function withThreeInputs(): MergeCase[] {
  const clashes = {
    plain: {},
    suffix: clash('addSuffix'),
    ...preferring('preferInput1'),
    ...preferring('preferInput2'),
    ...preferring('preferLast'),
  };
  return Object.entries(threes).flatMap(([data, inputs]): MergeCase[] => {
    const add = (name: string, parameters: JsonObject): MergeCase => ({
      name: `three inputs, ${name} ${data}`,
      versions: third.versions,
      parameters: { numberInputs: 3, ...parameters },
      inputs,
    });
    const choose = { mode: 'chooseBranch', output: 'specifiedInput' };
    return [
      add('append', { mode: 'append' }),
      ...[1, 2, 3].map((useDataOfInput) => add(`choose ${useDataOfInput}`, { ...choose, useDataOfInput })),
      add('choose empty', { mode: 'chooseBranch', output: 'empty' }),
      ...Object.entries(clashes).flatMap(([way, options]) =>
        [false, true].map((includeUnpaired) =>
          add(`position ${way} ${includeUnpaired}`, { ...third.by('position'), options: { ...options, includeUnpaired } }),
        ),
      ),
    ];
  });
}
