import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { loadPart } from './data/connection.ts';
import { session } from './data/session.ts';
import { SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { Layout } from './shell/layout.tsx';
import { NotFound } from './shell/not-found.tsx';
import { ErrorState, Loading } from './ui/states.tsx';

/** Values of a query string. Pages parse their own values. */
export type Search = Record<string, string | undefined>;

const validateSearch = (search: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [name, value === undefined ? undefined : String(value)]));

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const signInRoute = createRoute({ getParentRoute: () => root, path: '/sign-in', validateSearch, component: SignInPage });

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Layout,
  beforeLoad({ location }) {
    if (session.get().key === undefined) throw redirect({ to: '/sign-in', search: { from: location.href } });
  },
});

/** A page in a chunk: `page('/keys', () => import('./pages/keys/keys-page.tsx'), 'KeysPage')`. */
function page<Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, React.ComponentType>>,
  name: Name,
) {
  return createRoute({
    getParentRoute: () => shell,
    path,
    validateSearch,
    component: lazyRouteComponent((): Promise<Record<string, React.ComponentType>> => loadPart(load), name),
  });
}

const pages = [
  page('/', () => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  page('/executions', () => import('./pages/executions/executions-page.tsx'), 'ExecutionsPage'),
  page('/executions/$executionId', () => import('./pages/execution/execution-page.tsx'), 'ExecutionPage'),
  page('/workflows', () => import('./pages/workflows/workflows-page.tsx'), 'WorkflowsPage'),
  page('/workflows/$workflowId', () => import('./pages/workflows/workflow-page.tsx'), 'WorkflowPage'),
  page('/credentials', () => import('./pages/credentials/credentials-page.tsx'), 'CredentialsPage'),
  page('/credentials/new', () => import('./pages/credentials/new-credential-page.tsx'), 'NewCredentialPage'),
  page('/credentials/$credentialId', () => import('./pages/credentials/credential-page.tsx'), 'CredentialPage'),
  page('/data-tables', () => import('./pages/data-tables/data-tables-page.tsx'), 'DataTablesPage'),
  page('/data-tables/$tableId', () => import('./pages/data-tables/data-table-page.tsx'), 'DataTablePage'),
  page('/keys', () => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
  page('/projects', () => import('./pages/projects/projects-page.tsx'), 'ProjectsPage'),
  page('/projects/$projectId', () => import('./pages/projects/project-page.tsx'), 'ProjectPage'),
  page('/users', () => import('./pages/users/users-page.tsx'), 'UsersPage'),
  page('/tags', () => import('./pages/tags/tags-page.tsx'), 'TagsPage'),
  page(
    '/event-subscriptions',
    () => import('./pages/event-subscriptions/event-subscriptions-page.tsx'),
    'EventSubscriptionsPage',
  ),
  page('/audit', () => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  page('/node-types', () => import('./pages/node-types/node-types-page.tsx'), 'NodeTypesPage'),
  page('/node-types/$type', () => import('./pages/node-types/node-type-page.tsx'), 'NodeTypePage'),
  page('/packages', () => import('./pages/node-types/packages-page.tsx'), 'PackagesPage'),
];

export const router = createRouter({
  routeTree: root.addChildren([signInRoute, shell.addChildren(pages)]),
  basepath: new URL(document.baseURI).pathname,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ({ error, reset }) => <ErrorState title="This page failed" error={error} onRetry={reset} />,
  scrollRestoration: true,
  // Plain strings, so that URLs stay readable: `?status=error,crashed`.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

// After a lost session, the user signs in and returns.
session.subscribe(() => {
  if (session.get().key === undefined) {
    void router.navigate({ to: '/sign-in', search: { from: router.state.location.href } });
  }
});
