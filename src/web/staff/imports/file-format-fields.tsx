import { FormError } from '../../ui/form-error.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ENCODINGS, type Encoding, type FileFormat, SEPARATORS, type Separator } from './file-format.ts';
import type { ReadFile } from './use-imports.ts';

interface FileFormatFieldsProps {
  read: ReadFile;
  problem: string | null;
  onChange: (format: FileFormat) => void;
}

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** How the file was read. A change reads it again from this device. */
export function FileFormatFields({ read, problem, onChange }: FileFormatFieldsProps) {
  const { format, samples, title_lines } = read;
  const quotes = samples.map((it) => `“${it.length > 40 ? `${it.slice(0, 40)}…` : it}”`).join(', ');
  return (
    <div className="flex flex-col gap-4 border-line border-b pb-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          id="file-encoding"
          label="Encoding"
          hint={quotes ? undefined : 'The file has letters from A to Z alone'}
          value={format.encoding}
          onChange={(event) => onChange({ ...format, encoding: event.target.value as Encoding })}
          options={optionsOf(ENCODINGS)}
        />
        <SelectField
          id="file-separator"
          label="Separator"
          value={format.separator}
          onChange={(event) => onChange({ ...format, separator: event.target.value as Separator })}
          options={optionsOf(SEPARATORS)}
        />
      </div>
      {quotes && (
        <p className="wrap-anywhere max-w-[76ch]">
          Are these letters right? {quotes}. If not, choose another encoding, or save the file as “CSV UTF-8”.
        </p>
      )}
      {title_lines > 0 && (
        <p>{`The column names are in line ${title_lines + 1}. What stands above is not read.`}</p>
      )}
      {problem && <FormError of={{ text: problem, times: 1 }} />}
    </div>
  );
}
