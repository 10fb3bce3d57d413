/** A name that expressions can use, or a member of a value, for completion. */
export interface Name {
  name: string;
  /** Its meaning, in a few words. */
  info?: string;
  /** Inserted with parentheses, and the caret between them. */
  isCall?: true;
  /** Offered after a dot. */
  members?: readonly Name[];
}

/** Splits `name: meaning` per line; a name that ends in `()` is called. */
function names(lines: string, members: Readonly<Record<string, readonly Name[]>> = {}): Name[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', info] = line.trim().split(': ');
      const name = text.replace('()', '');
      return {
        name,
        ...(info && { info }),
        ...(text.endsWith('()') && { isCall: true }),
        ...(members[name] && { members: members[name] }),
      };
    });
}

/** Members of `$now` and other dates of luxon. */
const dateMembers = names(`
  toFormat(): text in a format, such as "yyyy-MM-dd"
  toISO(): text in ISO format
  toISODate(): the date in ISO format
  toMillis(): milliseconds since 1970
  plus(): a later date, by { days: 1 }
  minus(): an earlier date, by { days: 1 }
  startOf(): the start of the "day", "week", "month" ...
  endOf(): the end of the "day", "week", "month" ...
  setZone(): the same time in another time zone
  setLocale(): for formats in another language
  diff(): the duration since another date
  year
  month
  day
  hour
  minute
  second
  weekday: 1 is Monday
  weekNumber
`);

/** Members of the functions and values that do not depend on a workflow. */
const members = {
  $now: dateMembers,
  $today: dateMembers,
  $workflow: names('id\nname\nactive'),
  $prevNode: names('name\noutputIndex\nrunIndex'),
  $execution: names(
    'id\nmode: "test" or "production"\nresumeUrl: continues a waiting execution\nresumeFormUrl: the form of a waiting execution\ncustomData: strings that are stored with the execution',
    { customData: names('get()\ngetAll()\nset()\nsetAll()') },
  ),
  DateTime: names('now()\nutc()\nfromISO()\nfromFormat()\nfromMillis()\nfromObject()'),
};

/** Names that start an expression (`docs/expressions.md`). Some depend on the node. */
export const rootNames: readonly Name[] = names(
  `
  $json: JSON of the current item
  $input: the input items
  $(): another node
  $binary: files of the current item
  $now: the current time
  $today: midnight
  $itemIndex: index of the current item
  $workflow: this workflow
  $execution: this execution
  $prevNode: the node from which the items come
  $runIndex: how often the node has run before
  $vars: variables
  $env: environment variables that the operator allows
  $parameter: parameters of this node
  $mode: how the execution started
  $if(): one of two values
  $ifEmpty(): a value, or another if it is empty
  $not(): the opposite
  $min(): the smallest number
  $max(): the largest number
  $average(): the mean of numbers
  $jmespath(): a query in JMESPath
  $fromAI(): an argument that a model writes
  numberList(): the numbers of a range
  zip(): an object of keys and values
  DateTime: dates of luxon
`,
  members,
);

/** Members of an item. */
export const itemNames = names('json\nbinary');

/** Members of `$input`, which are functions or items. */
export const inputNames = names(
  'item: the current item\nfirst(): the first item\nlast(): the last item\nall(): all items\nparams: parameters of the source node\ncontext: data that this node stores between its runs',
);

/** Members of `$("Node")`. */
export const nodeNames = names(
  'item: the item from which the current item was made\nfirst(): the first item\nlast(): the last item\nall(): all items\nitemMatching(): the item for the item at an index\nisExecuted: whether the node has run\nparams: its parameters\ncontext: data that it stores between its runs\nrunIndex: index of its last run',
);

/** Members of values that JavaScript itself has and that authors use often. */
export const valueNames = {
  string: names(
    'length\nincludes()\nindexOf()\nmatch()\nreplace()\nreplaceAll()\nslice()\nsplit()\nstartsWith()\nendsWith()\npadStart()\ntoLowerCase()\ntoUpperCase()\ntrim()',
  ),
  number: names('toFixed()\ntoLocaleString()\ntoString()'),
  array: names(
    'length\nat()\nevery()\nfilter()\nfind()\nflatMap()\nincludes()\njoin()\nmap()\nreduce()\nslice()\nsome()\nsort()',
  ),
} as const;
