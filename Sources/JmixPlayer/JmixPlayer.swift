// Who plays imports this module alone.
@_exported import JmixKit
