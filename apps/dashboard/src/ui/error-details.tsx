import { ApiError } from '../data/errors.ts';

/** The problems of single fields that an error of the API names. */
export function ErrorDetails({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.details.length === 0) return null;
  return (
    <ul>
      {error.details.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}
