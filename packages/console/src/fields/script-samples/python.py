# A script has `event` and `platform`. In a pre_process script `event.request` is what will be done; in all others
# `event.response` is what was answered. Changes count where the script may modify the event (see below the editor).
# Members are attributes and keys: event.request.method is event['request']['method'].
request = event.request
session = platform.session

print(request.method, request.uri, 'by', session.user.email if session.user else 'an app')  # goes to the log

if 'response' not in event:
    # Before the operation: method, parameters, headers and payload can be changed.
    if int(request.parameters.get('limit', 0)) > 1000:
        raise ScriptError('Ask for at most 1000 records.', status_code=400)  # any other exception is a 500
    if request.method == 'GET':
        request.parameters.setdefault('limit', 100)
    # This answers without the operation:
    # event.response = {'status_code': 200, 'content': {'resource': []}}
else:
    # After it, whether it failed or not: status_code, content, content_type and headers can be changed.
    count = platform.store.get('count', 0) + 1  # kept for 15 minutes, for all runs of this script
    platform.store.set('count', count)
    event.response.headers['X-Script-Count'] = str(count)

# Calls of the API are made as the caller, and fire events as other calls do: this keeps the script from calling itself.
if session.requestor != 'SCRIPT':
    answer = platform.api.get('system/environment', {'parameters': {'fields': '*'}})
    if answer.status == 200:
        print('Version', answer.json().platform.version)  # answer.read() is the text
    else:
        print('No environment:', answer.read())

# A script service answers with what it returns:
# return {'content': {'hello': 'world'}, 'status_code': 200, 'headers': {'X-Made-By': 'me'}}
