import type { TaskMessage } from './tasks.ts';

/**
 * A work thread's task. Each reader uses a different library, loaded for the first file that needs
 * it.
 */
export async function* task(message: TaskMessage): AsyncGenerator<unknown> {
  switch (message.name) {
    case 'readCsv': {
      const { readCsv } = await import('./read-csv.ts');
      yield* readCsv(message.input);
      return;
    }
    case 'readSheet': {
      const { readSheet } = await import('./read-sheet.ts');
      yield* readSheet(message.input);
      return;
    }
    case 'writeSheet': {
      const { writeSheet } = await import('./write-sheet.ts');
      yield writeSheet(message.input);
      return;
    }
    case 'readPdf': {
      const { readPdf } = await import('./read-pdf.ts');
      yield await readPdf(message.input);
      return;
    }
    case 'readDocx': {
      const { readDocx } = await import('./read-docx.ts');
      yield await readDocx(message.input);
      return;
    }
    case 'readCalendar': {
      const { readCalendar } = await import('./read-calendar.ts');
      yield readCalendar(message.input);
      return;
    }
    case 'readMail': {
      const { readMail } = await import('./read-mail.ts');
      yield await readMail(message.input);
    }
  }
}
