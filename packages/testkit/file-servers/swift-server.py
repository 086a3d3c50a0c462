# OpenStack Swift in one process: its own proxy, account, container and object servers on ports of 127.0.0.1, one copy of all.
# Keystone is not a part of Swift; its two calls that hand out tokens are written here, for the account of the tests.
# Usage: python3 swift-server.py FOLDER PORT (FOLDER/conf and FOLDER/sda1 are made).
import array
import configparser
import json
import os
import sys
import time

import eventlet

eventlet.patcher.monkey_patch(all=True)

from eventlet import listen, wsgi  # noqa: E402

folder, port = sys.argv[1].rstrip('/'), int(sys.argv[2])
conf = os.path.join(folder, 'conf')
os.makedirs(os.path.join(folder, 'sda1'), exist_ok=True)
os.makedirs(conf, exist_ok=True)
with open(os.path.join(conf, 'swift.conf'), 'w') as file:
    file.write('[swift-hash]\nswift_hash_path_suffix = tests\n[storage-policy:0]\nname = one\ndefault = yes\n')

import swift.common.utils as utils  # noqa: E402

utils.SWIFT_CONF_FILE = os.path.join(conf, 'swift.conf')
utils.HASH_PATH_SUFFIX = b'tests'
utils.validate_hash_conf = lambda: None

from swift.account.server import AccountController  # noqa: E402
from swift.common import storage_policy  # noqa: E402
from swift.common.middleware import catch_errors, copy as copy_middleware, gatekeeper, listing_formats  # noqa: E402
from swift.common.ring import RingData  # noqa: E402
from swift.container.server import ContainerController  # noqa: E402
from swift.obj.server import ObjectController  # noqa: E402
from swift.proxy.server import Application  # noqa: E402

policies = configparser.ConfigParser()
policies.read(utils.SWIFT_CONF_FILE)
storage_policy._POLICIES = storage_policy.parse_storage_policies(policies)


class Silent:
    def write(self, *_):
        pass

    def flush(self):
        pass


def serve(socket, app):
    eventlet.spawn(wsgi.server, socket, app, Silent(), log_output=False, keepalive=True)


settings = {
    'swift_dir': conf,
    'devices': folder,
    'mount_check': 'false',
    'disable_fallocate': 'true',
    'fsync': 'false',
    'log_level': 'CRITICAL',
    'recon_cache_path': folder,
}
for name, controller in (
    ('account', AccountController),
    ('container', ContainerController),
    ('object', ObjectController),
):
    socket = listen(('127.0.0.1', 0))
    place = {'id': 0, 'zone': 0, 'region': 1, 'device': 'sda1', 'ip': '127.0.0.1', 'port': socket.getsockname()[1]}
    RingData([array.array('H', [0])], [place], 32).save(
        os.path.join(conf, name + '.ring.gz')
    )
    serve(socket, controller(settings))

swift = Application(
    {**settings, 'account_autocreate': 'true', 'allow_account_management': 'true'},
    account_ring=None,
    container_ring=None,
)
swift = copy_middleware.filter_factory({})(listing_formats.filter_factory({})(swift))
swift = catch_errors.filter_factory({})(gatekeeper.filter_factory({})(swift))

base = 'http://127.0.0.1:%d' % port
token = 'token-%d' % time.time()
storage = base + '/v1/AUTH_test'
login = {'user': 'tester', 'tenant': 'test', 'password': 'testing', 'key': 'api-key'}


def expiry():
    return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(time.time() + 3600))


def v2(body):
    auth = body['auth']
    if 'RAX-KSKEY:apiKeyCredentials' in auth:
        given = auth['RAX-KSKEY:apiKeyCredentials']
        good = given == {'username': login['user'], 'apiKey': login['key']}
    else:
        given = auth['passwordCredentials']
        good = given == {'username': login['user'], 'password': login['password']} and auth['tenantName'] == 'test'
    endpoints = [
        {'region': 'OTHER', 'publicURL': 'http://127.0.0.1:9/none'},
        {'region': 'RegionOne', 'publicURL': storage},
        {'region': 'ORD', 'publicURL': storage},
    ]
    access = {
        'token': {'id': token, 'expires': expiry()},
        'serviceCatalog': [
            {'type': 'compute', 'endpoints': [{'region': 'RegionOne', 'publicURL': 'http://127.0.0.1:9/'}]},
            {'type': 'object-store', 'endpoints': endpoints},
        ],
    }
    return good and {'access': access}, []


def v3(body):
    identity = body['auth']['identity']['password']['user']
    scope = body['auth']['scope']['project']
    good = (
        identity == {'name': login['user'], 'password': login['password'], 'domain': {'name': 'Default'}}
        and scope == {'name': login['tenant'], 'domain': {'name': 'Default'}}
    )
    endpoints = [
        {'region': 'OTHER', 'interface': 'public', 'url': 'http://127.0.0.1:9/none'},
        {'region': 'RegionOne', 'interface': 'internal', 'url': 'http://127.0.0.1:9/none'},
        {'region': 'RegionOne', 'interface': 'public', 'url': storage},
    ]
    answer = {'token': {'expires_at': expiry(), 'catalog': [{'type': 'object-store', 'endpoints': endpoints}]}}
    return good and answer, [('X-Subject-Token', token)]


def app(env, start):
    path = env['PATH_INFO']
    keystone = {'/v2.0/tokens': v2, '/v3/auth/tokens': v3}.get(path)
    if keystone:
        answer, headers = keystone(json.loads(env['wsgi.input'].read()))
        if not answer:
            error = {'error': {'code': 401, 'title': 'Unauthorized', 'message': 'Invalid user name or password.'}}
            start('401 Unauthorized', [('Content-Type', 'application/json')])
            return [json.dumps(error).encode()]
        start('200 OK', [('Content-Type', 'application/json')] + headers)
        return [json.dumps(answer).encode()]
    if env.get('HTTP_X_AUTH_TOKEN') != token:
        start('401 Unauthorized', [('Content-Type', 'text/plain')])
        return [b'Unauthorized']
    env['swift.authorize'] = lambda request: None
    return swift(env, start)


wsgi.server(listen(('127.0.0.1', port)), app, Silent(), log_output=False)
