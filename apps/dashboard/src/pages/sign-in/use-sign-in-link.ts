import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { session, signIn } from '../../data/session.ts';
import { redeemLink, takeToken } from '../../data/sign-in-link.ts';

/** Signs in if the page was opened with a sign-in link. */
export function useSignInLink(): { isPending: boolean; error: unknown } {
  // A link that is pasted into a tab with this page changes only the fragment.
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const [state, setState] = useState<{ isPending: boolean; error?: unknown }>({ isPending: hash.startsWith('token=') });
  useEffect(() => {
    const token = hash === '' ? undefined : takeToken();
    // A signed-in user keeps the session; the link still works in another tab.
    if (token === undefined || session.get().key !== undefined) return;
    setState({ isPending: true });
    redeemLink(token)
      .then(({ apiKey, id }) => signIn(apiKey, id))
      .catch((error: unknown) => setState({ isPending: false, error }));
  }, [hash]);
  return { error: undefined, ...state };
}
