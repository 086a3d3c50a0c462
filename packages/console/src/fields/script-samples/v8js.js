// A script has `event` and `platform`. In a pre_process script `event.request` is what will be done; in all others
// `event.response` is what was answered. Changes count where the script may modify the event (see below the editor).
const { request, response } = event;
const { session, store, api } = platform;

print(`${request.method} ${request.uri} by ${session.user ? session.user.email : 'an app'}\n`); // goes to the log

if (!response) {
  // Before the operation: method, parameters, headers and payload can be changed.
  if (Number(request.parameters.limit) > 1000) {
    throw { status_code: 400, message: 'Ask for at most 1000 records.' };
  }
  if (request.method === 'GET' && !request.parameters.limit) request.parameters.limit = 100;
  // This answers without the operation:
  // event.response = { status_code: 200, content: { resource: [] } };
} else {
  // After it, whether it failed or not: status_code, content, content_type and headers can be changed.
  const count = store.get('count', 0) + 1; // kept for 15 minutes, for all runs of this script
  store.set('count', count);
  response.headers['X-Script-Count'] = String(count);
}

// Calls of the API are made as the caller, and fire events as other calls do: this keeps the script from calling itself.
if (session.requestor !== 'SCRIPT') {
  const answer = api.get('system/environment', null, { parameters: { fields: '*' } });
  if (answer.content.error) print(`No environment: ${answer.content.error.message}\n`);
  else print(`Version ${answer.content.platform.version}\n`);
}

// A script service answers with what it returns:
// return { content: { hello: 'world' }, status_code: 200, headers: { 'X-Made-By': 'me' } };
