import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { checkKey } from '../../data/api.ts';
import { ApiError } from '../../data/errors.ts';
import { localPath } from '../../data/local-path.ts';
import { session, signIn } from '../../data/session.ts';
import { useStore } from '../../data/store.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-action.ts';
import { useSignInLink } from './use-sign-in-link.ts';

/** Signs in by a link, or asks for an API key. The key stays in the session storage of the tab. */
export function SignInPage() {
  const { key, reason } = useStore(session);
  const { from } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const link = useSignInLink();
  useEffect(() => {
    if (key !== undefined) void navigate({ href: localPath(from, location.origin), replace: true });
  }, [key, from, navigate]);

  const check = useSubmit(async () => {
    await checkKey(text.trim());
    signIn(text.trim());
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.run();
  };
  if (link.isPending) return <SigningIn />;
  return (
    <main className="sign-in">
      <title>Sign in · Sluice</title>
      <form onSubmit={submit}>
        <img src="icon.svg" alt="" width={40} height={40} />
        <h1>Sign in to Sluice</h1>
        <p className="muted">
          {reason ?? 'Use an API key. The first one was printed when the service first started; it is kept in this tab only.'}
        </p>
        <TextField
          label="API key"
          type="password"
          name="api-key"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
          value={text}
          onChange={setText}
        />
        {link.error !== undefined && check.error === undefined && (
          <ErrorState error={link.error} title={titleOfLink(link.error)} />
        )}
        {check.error !== undefined && (
          <ErrorState error={check.error} title={isRefused(check.error) ? 'The service does not accept this key' : undefined} />
        )}
        <Button kind="primary" type="submit" busy={check.isBusy} disabled={text.trim() === ''}>
          Sign in
        </Button>
        <p className="muted small">
          No key? On the machine of the service, <code>sluice users link</code> prints a link that signs the owner in, and{' '}
          <code>sluice keys create</code> creates a key.
        </p>
      </form>
    </main>
  );
}

function SigningIn() {
  return (
    <main className="sign-in">
      <title>Sign in · Sluice</title>
      <Loading rows={3} label="Signing in" />
    </main>
  );
}

const isRefused = (error: unknown) => error instanceof ApiError && error.status === 401;
const titleOfLink = (error: unknown) => (isRefused(error) ? 'The sign-in link no longer works' : undefined);
