// A WSDL for one call of a service that has none: `location` and `uri` say where it goes and in which namespace its operation is.
import { Buffer } from 'node:buffer';
import type { KeyedDefinition } from './program.ts';

const address = 'http://wsdl.invalid/';

/** `name` can be the name of an element, `uri` stands in an attribute as it is. */
export function definitionOf(
  name: string,
  uri: string,
  location: string,
  isSoap12: boolean | undefined,
): KeyedDefinition {
  const message = (of: string) => `<message name="${of}"><part name="value" type="xsd:anyType"/></message>`;
  const body = `<soap:body use="encoded" namespace="${uri}" encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"/>`;
  const text = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
 xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:tns="${uri}" targetNamespace="${uri}">
${message(`${name}Request`)}${message(`${name}Response`)}
<portType name="Calls"><operation name="${name}">
<input message="tns:${name}Request"/><output message="tns:${name}Response"/></operation></portType>
<binding name="Binding" type="tns:Calls"><soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
<operation name="${name}"><soap:operation soapAction="${uri}#${name}"/><input>${body}</input><output>${body}</output></operation></binding>
<service name="Service"><port name="Port" binding="tns:Binding"><soap:address location="http://wsdl.invalid/"/></port></service>
</definitions>`;
  return {
    key: `call ${Buffer.from(name).toString('hex')}`,
    definition: { wsdl: address, documents: new Map([[address, text]]), location, isSoap12 },
  };
}
