import { compileValidator, type Static, type TSchema } from '@sluice/contract';
import { AppError, isAppError } from '@sluice/domain';

/**
 * Validates a command's options against the schema of the matching API request body. The message of
 * its error names each invalid option.
 */
export function checkInput<S extends TSchema>(schema: S, input: unknown): Static<S> {
  try {
    return compileValidator(schema)(input);
  } catch (error) {
    throw isAppError(error) ? new AppError({ code: error.code, message: describe(error) }) : error;
  }
}

function describe({ message, details }: AppError): string {
  const issues = (Array.isArray(details) ? details : []) as { path: string; message: string }[];
  if (issues.length === 0) return message;
  return issues.map((issue) => `--${issue.path.slice(1).replaceAll('/', ' ')} ${issue.message}`).join('; ');
}
