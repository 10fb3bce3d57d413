import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, call, type Schemas } from '../../data/api.ts';
import { changing } from '../../data/query-client.ts';
import { tagList } from '../../data/tags.ts';
import { updateWorkflow } from '../../data/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, SelectField, TextField } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';
import { WorkflowSelect } from '../../ui/workflow-select.tsx';
import { type Changes, type Draft, withoutUndefined } from './model/graph.ts';
import type { WorkflowEditor } from './use-workflow-editor.ts';

type Settings = Draft['settings'];

/** Name, limits, and tags. Name and limits are part of the draft. */
export function SettingsTab({ editor }: { editor: WorkflowEditor }) {
  const { draft, edit } = editor;
  const { settings } = draft;
  const set = (change: Changes<Settings>) =>
    edit(
      (before) => ({ ...before, settings: withoutUndefined<Settings>({ ...before.settings, ...change }) }),
      `settings ${Object.keys(change)}`,
    );
  const zones = useId();
  const number = (text: string) => (text === '' ? undefined : Number(text));
  return (
    <fieldset className="tab-page" disabled={!editor.canEdit}>
      <Card title="General">
        <div className="card-form">
          <TextField
            label="Name"
            value={draft.name}
            maxLength={128}
            error={draft.name.trim() === '' ? 'A workflow needs a name.' : undefined}
            onChange={(name) => edit((before) => ({ ...before, name }), 'name')}
          />
          <TextField
            label="Time zone"
            hint="Such as Europe/Vienna. Empty: the time zone of the service"
            list={zones}
            value={settings.timezone ?? ''}
            onChange={(timezone) => set({ timezone: timezone || undefined })}
          />
          <TextField
            label="Timeout in seconds"
            hint="Empty: no limit"
            type="number"
            min={0}
            value={String(settings.executionTimeout ?? '')}
            onChange={(text) => set({ executionTimeout: number(text) })}
          />
          <TextField
            label="Executions at once"
            hint="Further executions wait. Empty: no limit"
            type="number"
            min={1}
            value={String(settings.concurrency?.limit ?? '')}
            onChange={(text) =>
              set({ concurrency: text === '' ? undefined : { ...settings.concurrency, limit: Number(text) } })
            }
          />
          <SelectField
            label="Order of branches"
            value={settings.executionOrder ?? 'v0'}
            options={[
              { value: 'v1', label: 'One branch after the other, from the top' },
              { value: 'v0', label: 'Level by level' },
            ]}
            onChange={(next) => set({ executionOrder: next as Settings['executionOrder'] })}
          />
          <Field label="Error workflow" hint="Starts when an execution fails, at its Error Trigger">
            {(ids) => (
              <WorkflowSelect
                ids={ids}
                label="Error workflow"
                none="None"
                value={settings.errorWorkflow || undefined}
                onChange={(errorWorkflow) => set({ errorWorkflow })}
              />
            )}
          </Field>
        </div>
        <datalist id={zones}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </Card>
      <Tags editor={editor} />
    </fieldset>
  );
}

/** Tags are saved at once: they belong to the workflow, not to a version. */
function Tags({ editor }: { editor: WorkflowEditor }) {
  const { workflow, base, accept } = editor;
  const tags = useQuery(tagList).data ?? [];
  const [name, setName] = useState('');
  const assign = async (ids: string[]) =>
    accept(await updateWorkflow(workflow.id, { tags: ids as Schemas['TagIds'] }, base.etag));
  const change = useAction('The tags were not changed', assign);
  const create = useAction('The tag was not added', async () => {
    const tag = await changing(call(api.POST('/tags', { body: { name: name.trim() } })), 'tags');
    await assign([...workflow.tags, tag.id]);
    setName('');
  });
  return (
    <Card title="Tags">
      <div className="card-form">
        <div className="choices" hidden={tags.length === 0}>
          {tags.map((tag) => (
            <Checkbox
              key={tag.id}
              label={tag.name}
              checked={workflow.tags.includes(tag.id)}
              disabled={change.isBusy}
              onChange={(on) => change.run(on ? [...workflow.tags, tag.id] : workflow.tags.filter((one) => one !== tag.id))}
            />
          ))}
        </div>
        {editor.canEdit && (
          <form
            className="row"
            onSubmit={(event) => {
              event.preventDefault();
              create.run();
            }}
          >
            <input
              className="input"
              aria-label="New tag"
              placeholder="New tag"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <Button type="submit" disabled={name.trim() === ''} busy={create.isBusy}>
              Add
            </Button>
          </form>
        )}
      </div>
    </Card>
  );
}
