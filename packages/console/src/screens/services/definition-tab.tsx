import { Group, SegmentedControl } from '@mantine/core';
import { definitionFileEndings, editableDefinitionTypes } from '@sluice/contract';
import { useEditor } from '../../editor/index.ts';
import { TextFile } from '../../fields/index.ts';
import { useText } from '../../text/index.ts';
import { CodeEditor } from '../../ui/index.ts';
import { definitionFormat, type ServiceForm } from './record.ts';
import classes from './services.module.css';

/** The service's own OpenAPI document; only some types have one that is written by hand (SVC-055). */
export function DefinitionTab() {
  const t = useText('services');
  const { form } = useEditor<ServiceForm>();
  const { definition, type } = form.values;
  const isEditable = editableDefinitionTypes.includes(type);
  const format = definition.format === definitionFormat.yaml ? 'yaml' : 'json';
  const changeDefinition = (change: Partial<ServiceForm['definition']>) =>
    form.setFieldValue('definition', { ...definition, ...change });

  return (
    <>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t('definition.format')}
          data={[
            { value: 'json', label: 'JSON' },
            { value: 'yaml', label: 'YAML' },
          ]}
          value={format}
          disabled={!isEditable}
          onChange={(next) =>
            changeDefinition({ format: next === 'yaml' ? definitionFormat.yaml : definitionFormat.json })
          }
        />
        {isEditable ? (
          <TextFile
            label={t('definition.import')}
            accepted={definitionFileEndings}
            // OPEN-155: the format follows the file.
            onText={(content, name) =>
              changeDefinition({
                content,
                format: /\.json$/i.test(name) ? definitionFormat.json : definitionFormat.yaml,
              })
            }
          />
        ) : null}
      </Group>
      <div className={classes.definition}>
        <CodeEditor
          label={t('definition.title')}
          language={format}
          value={definition.content}
          onChange={(content) => changeDefinition({ content })}
          readOnly={!isEditable}
          // SVC-056
          height="calc(100dvh - 400px)"
        />
      </div>
    </>
  );
}
