"""Takes OTLP/gRPC traces and forgets them."""

from concurrent.futures import ThreadPoolExecutor

import grpc

PATH = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"


class _Sink(grpc.GenericRpcHandler):
    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        known = handler_call_details.method == PATH
        return grpc.unary_unary_rpc_method_handler(lambda body, context: b"") if known else None


def main() -> None:
    server = grpc.server(ThreadPoolExecutor(1), handlers=[_Sink()], options=[("grpc.so_reuseport", 0)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"port {port}", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main()
