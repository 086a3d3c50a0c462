// `POST {email}`: the fields of a call, with those of its template and of the service, sent at once.
import { fail } from '@sluice/contract';
import { acquireSlot } from '@sluice/sql';
import { sessionLookup } from '../access/lookups.ts';
import { answer, type Call, type Reply } from '../call/call.ts';
import { callerKey } from '../call/caller-key.ts';
import { isMultipart } from '../call/formats/multipart.ts';
import { isRecord, stringifyInput } from '../call/payload.ts';
import { AttachmentList, loadSources, readSources } from './attachments.ts';
import type { MailService } from './mail-service.ts';
import { readParts } from './parts.ts';
import { type MailFields, mergeFields, renderMail } from './render.ts';
import { findTemplate, type Template } from './templates.ts';

const noTemplate: Template = { fields: {}, defaults: {} };

export async function sendCall(call: Call, service: MailService): Promise<Reply> {
  const { tools, context } = service;
  const memory = tools.memory.open(callerKey(call));
  try {
    const attachments = new AttachmentList(memory);
    const fields = await readFields(call, attachments);
    const template = await templateOf(call, fields, service);
    if (fields.size === 0 && attachments.items.length === 0 && template === noTemplate) throw fail('mail.noData');
    const merged = mergeFields(service.parameters, template.fields, template.defaults, fields);
    const { fill, ...mail } = renderMail(merged, { lookUp: sessionLookup(call), defaultSender: tools.defaultSender });
    const sources = readSources(
      merged.get('attachment'),
      merged.get('import_url') ?? call.query.get('import_url'),
      fill,
    );
    if (!mail.html && !mail.text && sources.length + attachments.items.length === 0) throw fail('mail.noContent');
    const release = await acquireSlot(service.slots, callerKey(call), {
      signal: call.signal,
      timeout: service.waitTime,
    });
    try {
      await loadSources(sources, attachments, call, context);
      return answer({ count: await service.transport.send({ ...mail, attachments: attachments.items }) });
    } finally {
      release();
    }
  } finally {
    memory.end();
  }
}

/** The fields of a body; files in it go into the list. */
async function readFields(call: Call, list: AttachmentList): Promise<MailFields> {
  if (isMultipart(call.header('content-type') ?? '')) return readParts(call, list);
  const payload = await call.body();
  if (payload === undefined) return new Map();
  if (!isRecord(payload)) throw fail('mail.noData');
  return new Map(Object.entries(payload));
}

/** By name or else by id, of the query or else of the body. */
async function templateOf(call: Call, fields: MailFields, { tools }: MailService): Promise<Template> {
  const named = (name: string) => stringifyInput(call.query.get(name) || fields.get(name));
  const [name, id] = [named('template'), named('template_id')];
  if (name !== '') return findTemplate(tools.db, { name });
  return id === '' ? noTemplate : findTemplate(tools.db, { id });
}
