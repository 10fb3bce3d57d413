import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { credentialTypes } from '../../data/credentials.ts';
import { useUnsaved } from '../../data/unsaved.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormFields } from '../../ui/form-fields.tsx';
import { changedValues, type FormValues, initialValues, problemsOf } from '../../ui/form-model.ts';
import { matches } from '../../ui/matches.ts';
import { Card, Page } from '../../ui/page.tsx';
import { ProjectField } from '../../ui/project-field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, ErrorState, Loaded } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { toast } from '../../ui/toast.tsx';
import { useSubmit } from '../../ui/use-action.ts';
import { credentialFields, toData } from './credential-fields.ts';
import {
  type CredentialType,
  type CredentialTypeSummary,
  createCredential,
  credentialType,
  fieldErrors,
  unusedName,
} from './credential-queries.ts';
import './credentials.css';
import { TestButton } from './test-button.tsx';
import { TypeFacts } from './type-facts.tsx';

/** Choice of a type, then its form. The type is in the URL. */
export function NewCredentialPage() {
  const { type } = useSearch({ strict: false });
  return type ? <FormPage type={type} key={type} /> : <TypesPage />;
}

function TypesPage() {
  const types = useQuery(credentialTypes);
  const [search, setSearch] = useState('');
  return (
    <Page title="New credential" before={<BackLink to="/credentials" label="All credentials" />} fill>
      <div className="toolbar">
        <SearchField label="Search types" value={search} onChange={setSearch} />
      </div>
      <div className="page-body">
        <Loaded query={types}>
          {(all) => {
            const matching = all.filter(({ name, displayName }) => matches(search, [name, displayName])).sort(byName);
            if (matching.length === 0) return <Empty icon={<ShieldCheck size={20} />} title={`No type matches “${search}”`} />;
            return (
              <ul className="type-grid">
                {matching.map((type) => (
                  <TypeTile key={type.name} {...type} />
                ))}
              </ul>
            );
          }}
        </Loaded>
      </div>
    </Page>
  );
}

const byName = (a: CredentialTypeSummary, b: CredentialTypeSummary) => a.displayName.localeCompare(b.displayName);

function TypeTile({ name, displayName, connectsByOAuth2 }: CredentialTypeSummary) {
  return (
    <li>
      <Link to="/credentials/new" search={{ type: name }} className="type-tile">
        <span className="row">
          <strong className="truncate">{displayName}</strong>
          {connectsByOAuth2 && <Badge tone="running">Connect</Badge>}
        </span>
        <code className="muted truncate">{name}</code>
      </Link>
    </li>
  );
}

function FormPage({ type }: { type: string }) {
  const query = useQuery(credentialType(type));
  return (
    <Page
      title={`New credential: ${query.data?.displayName ?? type}`}
      before={<BackLink to="/credentials/new" label="Another type" />}
    >
      <Loaded query={query}>{(loaded) => <CreateForm type={loaded} />}</Loaded>
    </Page>
  );
}

function CreateForm({ type }: { type: CredentialType }) {
  const navigate = useNavigate();
  const fields = useMemo(() => credentialFields(type.properties), [type]);
  const [name, setName] = useSuggestedName(type.displayName);
  const [projectId, setProjectId] = useState('');
  const [values, setValues] = useState<FormValues>(() => initialValues(fields));
  useUnsaved(Object.keys(changedValues(values, initialValues(fields))).length > 0);
  const [isTried, setTried] = useState(false);
  const problems = problemsOf(fields, values);
  const create = useSubmit(async () => {
    const body = { name, type: type.name, data: toData(values), ...(projectId && { projectId }) };
    const { id } = await createCredential(body);
    toast.success(`Credential “${name}” created`);
    await navigate({ to: '/credentials/$credentialId', params: { credentialId: id }, replace: true, ignoreBlocker: true });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problems).length === 0) create.run();
  };
  return (
    <form className="columns" noValidate onSubmit={submit}>
      <Card title="Sign-in data">
        <div className="card-body">
          <TextField label="Name" required maxLength={128} value={name} onChange={setName} />
          <ProjectField hint="Its members may use the credential." value={projectId} onChange={setProjectId} />
          <FormFields
            fields={fields}
            values={values}
            onChange={setValues}
            errors={{ ...(isTried && problems), ...fieldErrors(create.error) }}
          />
          {create.error !== undefined && <ErrorState error={create.error} />}
        </div>
        <div className="card-footer">
          <Button kind="primary" type="submit" busy={create.isBusy} disabled={name.trim() === ''}>
            Create
          </Button>
          {type.testable && !type.connectsByOAuth2 && <TestButton test={{ id: '', type: type.name, data: toData(values) }} />}
        </div>
      </Card>
      <TypeFacts type={type} />
    </form>
  );
}

/** The name of the type, with a number if it is taken, until the user changes it. */
function useSuggestedName(base: string) {
  const [name, setName] = useState('');
  useEffect(() => {
    let isCurrent = true;
    const suggest = (suggested: string) => isCurrent && setName((now) => (now === '' ? suggested : now));
    unusedName(base).then(
      (unused) => suggest(unused.name),
      () => suggest(base),
    );
    return () => {
      isCurrent = false;
    };
  }, [base]);
  return [name, setName] as const;
}
