import { useWorkflowName, useWorkflowSearch } from '../data/workflows.ts';
import { type OpenList, SearchList, SearchSelect } from './search-select.tsx';

interface WorkflowSelectProps {
  ids?: { id: string; 'aria-describedby'?: string };
  label: string;
  /** ID of the chosen workflow. */
  value: string | undefined;
  /** Text of the choice without a workflow. */
  none: string;
  onChange(id: string | undefined): void;
}

/** A choice among all workflows, however many there are. */
export function WorkflowSelect({ ids, label, value, none, onChange }: WorkflowSelectProps) {
  const name = useWorkflowName(value) ?? value ?? none;
  return (
    <SearchSelect ids={ids} label={label} current={name}>
      {(list) => <Workflows list={list} none={none} onChange={onChange} />}
    </SearchSelect>
  );
}

function Workflows({ list, none, onChange }: Pick<WorkflowSelectProps, 'none' | 'onChange'> & { list: OpenList }) {
  const query = useWorkflowSearch(list.search);
  const searchText = list.text.trim().toLowerCase();
  const workflows = query.data?.pages.flatMap(({ data }) => data.map(({ id, name }) => ({ value: id, label: name }))) ?? [];
  // Enter must not choose a result of the last search, kept until the next is read.
  const matching = workflows.filter(({ label }) => label.toLowerCase().includes(searchText));
  const options = searchText === '' ? [{ value: '', label: none }, ...matching] : matching;
  return <SearchList list={list} query={query} options={options} onChoose={({ value }) => onChange(value || undefined)} />;
}
