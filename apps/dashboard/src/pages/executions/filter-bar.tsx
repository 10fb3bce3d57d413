import { X } from 'lucide-react';
import { rangeOptions } from '../../data/time-ranges.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/fields.tsx';
import { ProjectFilter } from '../../ui/project-filter.tsx';
import { statuses, statusText, statusTone } from '../../ui/status-badge.tsx';
import { WorkflowSelect } from '../../ui/workflow-select.tsx';
import { type ExecutionFilter, isFiltered, modes, statusesOf, toggleStatus } from './filter.ts';

const modeTexts: Record<(typeof modes)[number], string> = {
  manual: 'Manual',
  trigger: 'Trigger',
  webhook: 'Webhook',
  retry: 'Retry',
};

interface FilterBarProps {
  filter: ExecutionFilter;
  onChange(filter: ExecutionFilter): void;
}

export function FilterBar({ filter, onChange }: FilterBarProps) {
  const chosen = statusesOf(filter);
  return (
    <div className="toolbar filter-bar">
      <fieldset className="chips">
        <legend className="sr-only">Status</legend>
        {statuses.map((status) => (
          <button
            key={status}
            type="button"
            className="chip"
            data-tone={statusTone(status)}
            aria-pressed={chosen.includes(status)}
            onClick={() => onChange(toggleStatus(filter, status))}
          >
            <span className="dot" aria-hidden="true" />
            {statusText(status)}
          </button>
        ))}
      </fieldset>
      <WorkflowSelect
        label="Workflow"
        none="All workflows"
        value={filter.workflowId}
        onChange={(workflowId) => onChange({ ...filter, workflowId })}
      />
      <ProjectFilter
        value={filter.projectId}
        onChange={(projectId) => onChange({ ...filter, projectId: projectId || undefined })}
      />
      <Select
        aria-label="Mode"
        value={filter.mode ?? ''}
        onChange={(mode) => onChange({ ...filter, mode: mode || undefined })}
        options={[{ value: '', label: 'Any mode' }, ...modes.map((mode) => ({ value: mode, label: modeTexts[mode] }))]}
      />
      <Select
        aria-label="Started"
        value={filter.after ? 'custom' : (filter.range ?? '')}
        onChange={(range) => onChange({ ...filter, range: range || undefined, after: undefined, before: undefined })}
        options={[
          { value: '', label: 'Any time' },
          ...rangeOptions,
          ...(filter.after ? [{ value: 'custom', label: `From ${filter.after}` }] : []),
        ]}
      />
      {isFiltered(filter) && (
        <Button kind="quiet" icon={<X size={14} />} onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
  );
}
