import { useParams } from 'react-router';
import { EditorScreen, recordIdOf, validateForm } from '../../editor/index.ts';
import { text, useText } from '../../text/index.ts';
import { Entries } from './entries.tsx';
import { nameProblem } from './lookup-record.ts';
import { deleteQuery, type LoadedSection, sectionAddress } from './sections.ts';
import { TemplateFields } from './template-form.tsx';
import {
  attachmentList,
  emptyTemplate,
  newTemplateName,
  type TemplateForm,
  toForm,
  toRecord,
} from './template-record.ts';

const permissionTexts = { resources: 'system/email_template', things: 'email templates' };

/** The mails that services and scripts send (CFG-027…035). */
export function TemplatesTab({ section }: { section: LoadedSection }) {
  const t = useText('config');
  const { id = null } = useParams();
  const base = sectionAddress('emailTemplate');
  return (
    <Entries
      base={base}
      data={section.query.data}
      label={t('tabs.emailTemplate')}
      id={id}
      newName={newTemplateName}
      texts={{ empty: t('template.empty'), noneSelected: t('template.noneSelected') }}
    >
      <EditorScreen<TemplateForm>
        key={id}
        inPane
        id={id === null ? null : recordIdOf(id)}
        texts="config:template"
        resource="email_template"
        base={base}
        permissionTexts={permissionTexts}
        emptyForm={emptyTemplate}
        toForm={toForm}
        toRecord={toRecord}
        toDraft={(form) => form}
        validate={validate}
        deleteQuery={deleteQuery}
      >
        <TemplateFields />
      </EditorScreen>
    </Entries>
  );
}

/** The default name first, then a missing one (CFG-031, CFG-032, OPEN-082). */
function validate(form: TemplateForm): Record<string, string> {
  const problem = nameProblem(form.name, newTemplateName);
  const isListBroken = form.attachment.trim().startsWith('[') && attachmentList(form.attachment) === null;
  return validateForm('email_template', form, {
    name: {
      problem: problem && text(problem === 'isNew' ? 'config:template.nameIsNew' : 'config:template.nameMissing'),
    },
    attachment: { problem: isListBroken && text('config:template.attachmentWrong') },
  });
}
