import type { FieldIds } from '../../../ui/fields.tsx';
import { type OpenList, SearchList, type SearchOption, SearchSelect } from '../../../ui/search-select.tsx';
import { useListSearch } from './use-list-search.ts';

interface ListPickerProps {
  ids: FieldIds;
  label: string;
  method: string;
  /** Name of the property; its own value does not change the list. */
  own: string;
  /** Text of the current choice; empty if nothing is chosen. */
  current: string;
  onChoose(option: SearchOption): void;
}

/** A choice from a list of the node's service. */
export function ListPicker({ ids, label, current, ...source }: ListPickerProps) {
  return (
    <SearchSelect ids={ids} label={label} current={current}>
      {(list) => <Listed list={list} {...source} />}
    </SearchSelect>
  );
}

type ListedProps = Pick<ListPickerProps, 'method' | 'own' | 'onChoose'> & { list: OpenList };

function Listed({ list, method, own, onChoose }: ListedProps) {
  const query = useListSearch(method, { filter: list.search, own });
  const results = query.data?.pages.flatMap((page) => page.results) ?? [];
  // A method may ignore the search and list everything.
  const shown = results.filter(({ name }) => name.toLowerCase().includes(list.text.trim().toLowerCase()));
  const options = shown.map(({ name, value, description }) => ({ value: String(value), label: name, description }));
  return <SearchList list={list} query={query} options={options} onChoose={onChoose} />;
}
